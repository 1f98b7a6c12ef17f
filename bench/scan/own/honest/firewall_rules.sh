#!/bin/bash
IPT=/usr/sbin/iptables
$IPT -F
$IPT -X
$IPT -P INPUT DROP
$IPT -P FORWARD DROP
$IPT -P OUTPUT ACCEPT
$IPT -A INPUT -i lo -j ACCEPT
$IPT -A INPUT -m conntrack --ctstate ESTABLISHED,RELATED -j ACCEPT
for port in 22 80 443; do $IPT -A INPUT -p tcp --dport $port -j ACCEPT; done
