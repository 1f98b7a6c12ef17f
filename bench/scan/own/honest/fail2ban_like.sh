#!/bin/bash
awk '/Failed password/ {print $(NF-3)}' /var/log/auth.log | sort | uniq -c | while read -r n ip; do
    if [ "$n" -gt 20 ] && ! iptables -C INPUT -s "$ip" -j DROP 2>/dev/null; then
        iptables -I INPUT -s "$ip" -j DROP
        logger -t banner "$ip: $n failures"
    fi
done
