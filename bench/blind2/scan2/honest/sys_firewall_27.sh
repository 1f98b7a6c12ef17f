# class: firewall; style: iptables by hand
#!/bin/sh
IPT=/sbin/iptables
$IPT -F; $IPT -X; $IPT -t nat -F
$IPT -P INPUT DROP; $IPT -P FORWARD DROP; $IPT -P OUTPUT ACCEPT
$IPT -A INPUT -i lo -j ACCEPT
$IPT -A INPUT -m conntrack --ctstate ESTABLISHED,RELATED -j ACCEPT
for p in 22 80 443; do $IPT -A INPUT -p tcp --dport $p -m conntrack --ctstate NEW -j ACCEPT; done
$IPT -A INPUT -p tcp --dport 22 -m recent --update --seconds 60 --hitcount 6 -j DROP
$IPT -A INPUT -m limit --limit 5/min -j LOG --log-prefix "ipt drop: "
netfilter-persistent save
