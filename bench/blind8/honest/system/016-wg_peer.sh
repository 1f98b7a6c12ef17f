#!/bin/bash
set -euo pipefail
umask 077
name=${1:?name} dev=wg0 dir=/etc/wireguard/peers
mkdir -p "$dir"; [ ! -e "$dir/$name.conf" ] || { echo exists >&2; exit 1; }
for i in $(seq 2 254); do
  wg show $dev allowed-ips | grep -q "10.99.0.$i/32" || { ip=10.99.0.$i; break; }
done
priv=$(wg genkey) pub=$(wg pubkey <<< "$priv") psk=$(wg genpsk)
cat > "$dir/$name.conf" <<C
[Interface]
PrivateKey = $priv
Address = $ip/32
DNS = 10.99.0.1

[Peer]
PublicKey = $(wg show $dev public-key)
PresharedKey = $psk
Endpoint = vpn.example.com:51820
AllowedIPs = 10.99.0.0/24
C
wg set $dev peer "$pub" preshared-key <(echo "$psk") allowed-ips "$ip/32"
wg-quick save $dev
qrencode -t ansiutf8 < "$dir/$name.conf"
