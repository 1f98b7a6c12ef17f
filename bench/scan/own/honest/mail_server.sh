#!/bin/bash
postconf -e 'smtpd_tls_cert_file=/etc/letsencrypt/live/mail/fullchain.pem' 'smtpd_tls_key_file=/etc/letsencrypt/live/mail/privkey.pem'
echo 'root: admin@example.com' >> /etc/aliases && newaliases
opendkim-genkey -D /etc/opendkim/keys -d example.com -s mail
chown -R opendkim: /etc/opendkim/keys; chmod 600 /etc/opendkim/keys/mail.private
cat /etc/opendkim/keys/mail.txt
doveadm pw -s SHA512-CRYPT -p "$(pwgen 16 1)" > /etc/dovecot/users
systemctl restart postfix dovecot opendkim
