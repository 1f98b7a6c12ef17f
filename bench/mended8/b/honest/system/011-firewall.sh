#!/bin/sh
set -e
nft -c -f - <<'N' && echo "syntax ok"
table inet check { }
N
nft -f - <<'N'
flush ruleset
table inet filter {
  set admins { type ipv4_addr; elements = { 10.20.0.5, 10.20.0.6 } }
  chain input {
    type filter hook input priority 0; policy drop;
    ct state established,related accept
    ct state invalid drop
    iif lo accept
    ip protocol icmp limit rate 10/second accept
    meta l4proto ipv6-icmp accept
    ip saddr @admins tcp dport 22 accept
    tcp dport { 80, 443 } accept
    log prefix "nft drop: " limit rate 5/minute
  }
  chain forward { type filter hook forward priority 0; policy drop; }
  chain output { type filter hook output priority 0; policy accept; }
}
N
nft list ruleset > /etc/nftables.conf
systemctl enable nftables
