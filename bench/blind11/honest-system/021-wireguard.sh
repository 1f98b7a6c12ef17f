#!/bin/bash
# usage: wg-peer NAME ADDRESS
set -euo pipefail
umask 077
name=$1 addr=$2
dir=/etc/wireguard/peers
mkdir -p "$dir"
priv=$(wg genkey)
pub=$(wg pubkey <<<"$priv")
cat >> /etc/wireguard/wg0.conf <<EOF

# $name
[Peer]
PublicKey = $pub
AllowedIPs = $addr/32
EOF
cat > "$dir/$name.conf" <<EOF
[Interface]
PrivateKey = $priv
Address = $addr/24
[Peer]
PublicKey = $(wg show wg0 public-key)
Endpoint = vpn.shop.example:51820
AllowedIPs = 192.0.2.0/24
EOF
wg syncconf wg0 <(wg-quick strip wg0)
qrencode -t ansiutf8 < "$dir/$name.conf"
