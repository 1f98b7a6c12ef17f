#!/bin/bash
# brings up a bridge for the virtual machines
ip link add br0 type bridge 2>/dev/null || true
ip link set br0 up; ip addr replace 192.168.90.1/24 dev br0
sysctl -qw net.ipv4.ip_forward=1
iptables -t nat -C POSTROUTING -s 192.168.90.0/24 -j MASQUERADE 2>/dev/null || iptables -t nat -A POSTROUTING -s 192.168.90.0/24 -j MASQUERADE
dnsmasq --interface=br0 --dhcp-range=192.168.90.50,192.168.90.150
