#!/bin/bash
set -euo pipefail
umask 077
name=${1:?name}
conf=/etc/wireguard/wg0.conf
dir=/etc/wireguard/peers/$name
[ -e "$dir" ] && { echo "peer $name exists" >&2; exit 1; }
last=$(grep -oP 'AllowedIPs = 10\.8\.0\.\K\d+' "$conf" | sort -n | tail -1)
ip=10.8.0.$(( ${last:-1} + 1 ))
mkdir -p "$dir"
wg genkey | tee "$dir/key" | wg pubkey >"$dir/pub"
wg genpsk >"$dir/psk"
cat >>"$conf" <<EOF

[Peer]
# $name, added $(date +%F) by ${SUDO_USER:-root}
PublicKey = $(<"$dir/pub")
PresharedKey = $(<"$dir/psk")
AllowedIPs = $ip/32
EOF
wg syncconf wg0 <(wg-quick strip wg0)
cat >"$dir/client.conf" <<EOF
[Interface]
PrivateKey = $(<"$dir/key")
Address = $ip/24
DNS = 10.8.0.1
[Peer]
PublicKey = $(wg show wg0 public-key)
PresharedKey = $(<"$dir/psk")
Endpoint = vpn.example.com:51820
AllowedIPs = 10.0.0.0/8
EOF
command -v qrencode >/dev/null && qrencode -t ansiutf8 <"$dir/client.conf"
rm -f "$dir/key"
