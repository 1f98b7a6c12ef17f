#!/bin/bash
set -e
WAN=${WAN:-eth0} LAN=${LAN:-br-guest} NET=${NET:-10.77.0.0/24}
sysctl -qw net.ipv4.ip_forward=1
nft -f - <<N
table inet guest
delete table inet guest
table inet guest {
  chain input {
    type filter hook input priority 0; policy accept;
    iifname "$LAN" udp dport { 53, 67 } accept
    iifname "$LAN" icmp type echo-request limit rate 5/second accept
    iifname "$LAN" drop
  }
  chain forward {
    type filter hook forward priority 0; policy drop;
    ct state established,related accept
    iifname "$LAN" oifname "$WAN" ip daddr != { 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 } accept
  }
  chain post {
    type nat hook postrouting priority 100;
    oifname "$WAN" ip saddr $NET masquerade
  }
}
N
