#!/bin/bash
# plugin: processes and load
warn=${1:-200} crit=${2:-400}
n=$(ps -e --no-headers | wc -l)
zombies=$(ps axo stat | grep -c '^Z')
load=$(cut -d' ' -f1 /proc/loadavg)
users=$(who | awk '{print $1}' | sort -u | wc -l)
stat=OK rc=0
(( n > warn )) && stat=WARNING rc=1
(( n > crit )) && stat=CRITICAL rc=2
echo "PROCS $stat: $n processes, $zombies zombies, load $load | procs=$n;$warn;$crit users=$users"
exit $rc
