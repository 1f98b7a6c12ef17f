#!/bin/bash
umask 077
apt-get install -y wireguard qrencode
wg genkey | tee /etc/wireguard/private.key | wg pubkey > /etc/wireguard/public.key
cat > /etc/wireguard/wg0.conf <<EOF
[Interface]
Address = 10.8.0.1/24
ListenPort = 51820
PrivateKey = $(cat /etc/wireguard/private.key)
PostUp = iptables -A FORWARD -i wg0 -j ACCEPT; iptables -t nat -A POSTROUTING -o eth0 -j MASQUERADE
PostDown = iptables -D FORWARD -i wg0 -j ACCEPT; iptables -t nat -D POSTROUTING -o eth0 -j MASQUERADE
EOF
echo 'net.ipv4.ip_forward=1' > /etc/sysctl.d/70-wg.conf && sysctl -p /etc/sysctl.d/70-wg.conf
systemctl enable --now wg-quick@wg0
