#!/bin/sh
# deploy hook of the certificate client
set -eu
for domain in $RENEWED_DOMAINS; do
	case $domain in
	mail.*)
		cat "$RENEWED_LINEAGE/privkey.pem" "$RENEWED_LINEAGE/fullchain.pem" > /etc/courier/server.pem
		chmod 600 /etc/courier/server.pem
		chown courier /etc/courier/server.pem
		service courier-imap-ssl restart
		;;
	xmpp.*)
		install -o prosody -g prosody -m 640 "$RENEWED_LINEAGE/privkey.pem" "/etc/prosody/certs/$domain.key"
		install -o prosody -g prosody -m 644 "$RENEWED_LINEAGE/fullchain.pem" "/etc/prosody/certs/$domain.crt"
		prosodyctl reload
		;;
	*) scp -q "$RENEWED_LINEAGE/"*.pem "certs@proxy.house.example:$domain/" ;;
	esac
done
openssl pkcs12 -export -passout file:/etc/keystore.pass -in "$RENEWED_LINEAGE/fullchain.pem" -inkey "$RENEWED_LINEAGE/privkey.pem" -out /etc/app.p12
