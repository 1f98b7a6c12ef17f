#!/bin/sh
# /etc/network/if-pre-up.d/iptables
set -e
RULES=/etc/iptables/rules.v4
WAN=eth0
LAN=eth1

if [ -r $RULES ]; then
  iptables-restore < $RULES
  exit 0
fi

iptables -F
iptables -t nat -F
iptables -P INPUT DROP
iptables -P FORWARD DROP
iptables -P OUTPUT ACCEPT
iptables -A INPUT -i lo -j ACCEPT
iptables -A INPUT -m conntrack --ctstate ESTABLISHED,RELATED -j ACCEPT
iptables -A INPUT -i $LAN -p tcp --dport 22 -j ACCEPT
iptables -A INPUT -i $LAN -p udp -m multiport --dports 53,67 -j ACCEPT
iptables -A FORWARD -i $LAN -o $WAN -j ACCEPT
iptables -A FORWARD -i $WAN -o $LAN -m conntrack --ctstate ESTABLISHED,RELATED -j ACCEPT
iptables -t nat -A POSTROUTING -o $WAN -j MASQUERADE
sysctl -q -w net.ipv4.ip_forward=1
mkdir -p /etc/iptables && iptables-save > $RULES
