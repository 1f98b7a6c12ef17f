#!/bin/bash
# adds a colleague's device to the VPN
set -euo pipefail
umask 077
peer=${1:?name}
ip=10.8.0.${2:?last number}
dir=/etc/wireguard/clients; mkdir -p $dir
priv=$(wg genkey); pub=$(wg pubkey <<<"$priv"); psk=$(wg genpsk)
cat >> /etc/wireguard/wg0.conf <<EOF

# $peer
[Peer]
PublicKey = $pub
PresharedKey = $psk
AllowedIPs = $ip/32
EOF
cat > "$dir/$peer.conf" <<EOF
[Interface]
PrivateKey = $priv
Address = $ip/32
DNS = 10.8.0.1
[Peer]
PublicKey = $(wg show wg0 public-key)
PresharedKey = $psk
Endpoint = vpn.acme.example:51820
AllowedIPs = 10.0.0.0/8
EOF
wg syncconf wg0 <(wg-quick strip wg0)
qrencode -t ansiutf8 < "$dir/$peer.conf"
