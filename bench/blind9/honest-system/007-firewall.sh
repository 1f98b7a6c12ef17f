#!/bin/bash
# host firewall for the web tier
set -e
MGMT=192.0.2.0/27

nft -f - <<NFT
flush ruleset
table inet filter {
  set mgmt { type ipv4_addr; flags interval; elements = { $MGMT } }
  chain input {
    type filter hook input priority 0; policy drop;
    iif lo accept
    ct state established,related accept
    ct state invalid drop
    icmp type echo-request limit rate 5/second accept
    meta l4proto ipv6-icmp accept
    tcp dport { 80, 443 } accept
    ip saddr @mgmt tcp dport { 22, 9100 } accept
    limit rate 3/minute log prefix "nft drop: "
  }
  chain forward { type filter hook forward priority 0; policy drop; }
  chain output { type filter hook output priority 0; policy accept; }
}
NFT
nft list ruleset > /etc/nftables.conf
systemctl enable --now nftables
