#!/bin/sh
# basic host firewall
set -e
IPT=/usr/sbin/iptables
$IPT -F
$IPT -X
$IPT -P INPUT DROP
$IPT -P FORWARD DROP
$IPT -P OUTPUT ACCEPT
$IPT -A INPUT -i lo -j ACCEPT
$IPT -A INPUT -m conntrack --ctstate ESTABLISHED,RELATED -j ACCEPT
$IPT -A INPUT -p icmp --icmp-type echo-request -m limit --limit 5/s -j ACCEPT
$IPT -A INPUT -p tcp --dport 22 -s 192.0.2.0/24 -j ACCEPT
for p in 80 443; do
    $IPT -A INPUT -p tcp --dport $p -j ACCEPT
done
iptables-save > /etc/iptables/rules.v4
