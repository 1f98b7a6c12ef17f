#!/bin/sh
IPT=/sbin/iptables
LAN=eth1
WAN=eth0
echo 1 > /proc/sys/net/ipv4/ip_forward
echo 1 > /proc/sys/net/ipv4/tcp_syncookies
for f in /proc/sys/net/ipv4/conf/*/rp_filter; do echo 1 > $f; done
$IPT -F; $IPT -X; $IPT -t nat -F
$IPT -P INPUT DROP
$IPT -P FORWARD DROP
$IPT -P OUTPUT ACCEPT
$IPT -A INPUT -i lo -j ACCEPT
$IPT -A INPUT -m conntrack --ctstate ESTABLISHED,RELATED -j ACCEPT
$IPT -A INPUT -p tcp --dport 22 -m limit --limit 6/min -j ACCEPT
$IPT -A INPUT -i $LAN -p udp -m multiport --dports 53,67 -j ACCEPT
$IPT -A FORWARD -i $LAN -o $WAN -j ACCEPT
$IPT -A FORWARD -m conntrack --ctstate ESTABLISHED,RELATED -j ACCEPT
$IPT -t nat -A POSTROUTING -o $WAN -j MASQUERADE
for port in 80 443; do
	$IPT -t nat -A PREROUTING -i $WAN -p tcp --dport $port -j DNAT --to 192.168.10.5
done
iptables-save > /etc/iptables/rules.v4
