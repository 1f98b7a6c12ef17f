#!/bin/sh
# alpine: /etc/local.d/wg.start
ip link add wg0 type wireguard
wg setconf wg0 /etc/wireguard/wg0.conf
ip addr add 10.66.0.2/24 dev wg0
ip link set wg0 up
ip route add 10.66.0.0/16 dev wg0
