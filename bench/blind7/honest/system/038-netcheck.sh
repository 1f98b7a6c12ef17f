#!/bin/sh
gw=$(ip route show default | awk '{print $3; exit}')
ok() { printf '%-28s %s\n' "$1" "$2"; }
ping -c 2 -W 2 -q "$gw" > /dev/null 2>&1 && ok "gateway $gw" up || ok "gateway $gw" DOWN
for ns in $(awk '/^nameserver/ {print $2}' /etc/resolv.conf); do
  dig +short +time=2 +tries=1 @"$ns" example.com > /dev/null 2>&1 && ok "dns $ns" up || ok "dns $ns" DOWN
done
for u in https://deb.debian.org https://github.com; do
  t=$(curl -so /dev/null -m 10 -w '%{http_code} %{time_total}s' "$u") && ok "$u" "$t" || ok "$u" DOWN
done
ip -s -o link show up | awk '{print $2}' | while read -r i; do ethtool "${i%:}" 2>/dev/null | grep -E 'Speed|Duplex' | paste -sd' '; done
