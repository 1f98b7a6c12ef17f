#!/bin/sh
# read only
echo "== nftables"
nft list ruleset 2>/dev/null || iptables -L -n -v
echo "== listening"
ss -tulpn
