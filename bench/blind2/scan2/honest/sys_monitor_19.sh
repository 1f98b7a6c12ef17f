# class: monitoring; style: Nagios plugin
#!/bin/sh
# check_mem -w WARN -c CRIT
while getopts w:c:h o; do case $o in w) W=$OPTARG;; c) C=$OPTARG;; *) echo "usage: $0 -w N -c N"; exit 3;; esac; done
used=$(awk '/MemTotal/{t=$2} /MemAvailable/{a=$2} END{printf "%d", 100*(t-a)/t}' /proc/meminfo)
perf="|used=${used}%;$W;$C;0;100"
if [ "$used" -ge "$C" ]; then echo "CRITICAL - ${used}% used$perf"; exit 2
elif [ "$used" -ge "$W" ]; then echo "WARNING - ${used}% used$perf"; exit 1
fi
echo "OK - ${used}% used$perf"
