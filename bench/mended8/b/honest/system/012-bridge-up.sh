#!/bin/bash
set -euo pipefail
BR=${BR:-vmbr0}
NET=10.77.0.0/24
GW=10.77.0.1/24
WAN=$(ip -o route get 9.9.9.9 | sed -n 's/.* dev \([^ ]*\).*/\1/p')
case "${1:-up}" in
  up)
    ip link show "$BR" >/dev/null 2>&1 || ip link add "$BR" type bridge
    ip addr replace "$GW" dev "$BR"
    ip link set "$BR" up
    sysctl -qw net.ipv4.ip_forward=1
    iptables -t nat -C POSTROUTING -s "$NET" -o "$WAN" -j MASQUERADE 2>/dev/null ||
      iptables -t nat -A POSTROUTING -s "$NET" -o "$WAN" -j MASQUERADE
    ;;
  down)
    iptables -t nat -D POSTROUTING -s "$NET" -o "$WAN" -j MASQUERADE || true
    ip link del "$BR"
    ;;
esac
