#!/bin/sh
# base firewall of a web host. default drop, ssh from the jump net only.
set -e
JUMP=192.0.2.0/27
MON=192.0.2.50

nft -f - <<EOF
flush ruleset
table inet filter {
	chain input {
		type filter hook input priority 0; policy drop;
		ct state established,related accept
		ct state invalid drop
		iif lo accept
		meta l4proto { icmp, ipv6-icmp } limit rate 20/second accept
		ip saddr $JUMP tcp dport 22 accept
		ip saddr $MON tcp dport 9100 accept
		tcp dport { 80, 443 } accept
		limit rate 5/minute log prefix "drop: "
	}
	chain forward { type filter hook forward priority 0; policy drop; }
	chain output { type filter hook output priority 0; policy accept; }
}
EOF
nft list ruleset > /etc/nftables.conf.new
mv /etc/nftables.conf.new /etc/nftables.conf
systemctl enable -q nftables
