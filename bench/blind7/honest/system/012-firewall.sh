#!/bin/sh
# Load the host firewall
set -e
nft -f - <<'NFT'
flush ruleset
table inet filter {
  set admins { type ipv4_addr; flags interval; elements = { 10.1.0.0/16, 192.0.2.10 } }
  chain input {
    type filter hook input priority 0; policy drop;
    ct state established,related accept
    ct state invalid drop
    iif lo accept
    ip protocol icmp limit rate 10/second accept
    ip6 nexthdr icmpv6 accept
    tcp dport 22 ip saddr @admins accept
    tcp dport { 80, 443 } accept
    limit rate 5/minute log prefix "nft drop: "
  }
  chain forward { type filter hook forward priority 0; policy drop; }
  chain output { type filter hook output priority 0; policy accept; }
}
NFT
nft list ruleset > /etc/nftables.conf.running
echo "firewall loaded"
