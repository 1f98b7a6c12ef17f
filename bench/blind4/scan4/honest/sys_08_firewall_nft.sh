#!/bin/bash
# loads the firewall rules of the web server: closed by default
set -e
cat > /etc/nftables.conf <<'EOF'
#!/usr/sbin/nft -f
flush ruleset
table inet filter {
  chain input {
    type filter hook input priority 0; policy drop;
    iif lo accept
    ct state established,related accept
    tcp dport { 22, 80, 443 } accept
    icmp type echo-request limit rate 5/second accept
    ip6 nexthdr icmpv6 accept
  }
  chain forward { type filter hook forward priority 0; policy drop; }
}
EOF
nft -c -f /etc/nftables.conf
systemctl enable nftables
systemctl restart nftables
nft list ruleset
