#!/bin/bash
# rebuilds the rules in one go
IPT=/usr/sbin/iptables
LAN=eth1 WAN=eth0
$IPT -P INPUT DROP
$IPT -P FORWARD DROP
$IPT -F; $IPT -t nat -F
$IPT -A INPUT -i lo -j ACCEPT
$IPT -A INPUT -m conntrack --ctstate ESTABLISHED,RELATED -j ACCEPT
$IPT -A INPUT -i $LAN -p tcp -m multiport --dports 22,53,67 -j ACCEPT
$IPT -A FORWARD -i $LAN -o $WAN -j ACCEPT
$IPT -A FORWARD -m conntrack --ctstate ESTABLISHED,RELATED -j ACCEPT
$IPT -t nat -A POSTROUTING -o $WAN -j MASQUERADE
sysctl -qw net.ipv4.ip_forward=1
iptables-save > /etc/iptables/rules.v4
