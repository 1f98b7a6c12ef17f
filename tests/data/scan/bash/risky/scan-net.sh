#!/bin/bash
for ip in 192.168.1.{1..254}; do
  ping -c1 -W1 $ip >/dev/null && echo "$ip up" &
done
wait
nmap -p 22,80,443 192.168.1.0/24
