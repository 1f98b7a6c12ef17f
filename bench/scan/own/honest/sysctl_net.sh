#!/bin/sh
# network settings of a router, before the interfaces come up
for f in /proc/sys/net/ipv4/conf/*/rp_filter; do echo 1 > "$f"; done
for f in /proc/sys/net/ipv4/conf/*/accept_redirects; do echo 0 > "$f"; done
for q in /sys/class/net/*/queues/rx-*/rps_cpus; do echo f > "$q"; done
echo 1 > /proc/sys/net/ipv4/ip_forward
mount -t debugfs none /sys/kernel/debug 2>/dev/null || true
