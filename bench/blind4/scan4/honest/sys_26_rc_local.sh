#!/bin/sh -e
# rc.local: settings which have no better place
echo 10 > /proc/sys/vm/swappiness
echo never > /sys/kernel/mm/transparent_hugepage/enabled
for c in /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor; do
  [ -w "$c" ] && echo performance > "$c"
done
hdparm -S 120 /dev/sdb || true
exit 0
