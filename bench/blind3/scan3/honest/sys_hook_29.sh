#!/bin/sh
# dhclient-exit-hooks.d/ddns
case "$reason" in
  BOUND|RENEW|REBIND|REBOOT) ;;
  *) return 0 2>/dev/null || exit 0 ;;
esac
[ "$new_ip_address" = "$old_ip_address" ] && exit 0
key=$(cat /etc/ddns.key)
nsupdate -y "hmac-sha256:ddns:$key" <<EOF
server ns1.house.example
zone dyn.house.example
update delete $(hostname -s).dyn.house.example A
update add $(hostname -s).dyn.house.example 300 A $new_ip_address
send
EOF
logger -t ddns "now $new_ip_address"
