#!/bin/sh
# /etc/NetworkManager/dispatcher.d/50-ddns
iface=$1 action=$2
[ "$iface" = lo ] && exit 0
case $action in
  up|dhcp4-change)
    ip=$(ip -4 -o addr show dev "$iface" scope global | awk '{sub("/.*", "", $4); print $4; exit}')
    [ -n "$ip" ] || exit 0
    nsupdate -k /etc/ddns/update.key <<EOF
server ns1.corp.example.com
zone dyn.corp.example.com
update delete $(hostname -s).dyn.corp.example.com A
update add $(hostname -s).dyn.corp.example.com 300 A $ip
send
EOF
    logger -t ddns "$(hostname -s) -> $ip"
    ;;
esac
