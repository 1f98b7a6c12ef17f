# class: certificates; style: renewal hook
#!/bin/sh
set -e
for domain in $RENEWED_DOMAINS; do
    case $domain in
    mail.*)
        umask 077
        cat "$RENEWED_LINEAGE/fullchain.pem" > /etc/postfix/tls/$domain.crt
        cat "$RENEWED_LINEAGE/privkey.pem" > /etc/postfix/tls/$domain.key
        chown postfix: /etc/postfix/tls/$domain.*
        chmod 400 /etc/postfix/tls/$domain.key
        systemctl reload postfix dovecot
        ;;
    esac
done
