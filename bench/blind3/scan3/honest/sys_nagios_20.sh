#!/bin/sh
# check_certs: days left of the certificates of some hosts
OK=0 WARNING=1 CRITICAL=2 UNKNOWN=3
warn=21 crit=7
while getopts w:c: o; do case $o in w) warn=$OPTARG ;; c) crit=$OPTARG ;; *) exit $UNKNOWN ;; esac; done
shift $((OPTIND - 1))
[ $# -gt 0 ] || { echo "UNKNOWN - no host"; exit $UNKNOWN; }
state=$OK text=
for h; do
    end=$(echo | timeout 10 openssl s_client -servername "$h" -connect "$h:443" 2>/dev/null | openssl x509 -noout -enddate 2>/dev/null | cut -d= -f2)
    if [ -z "$end" ]; then text="$text $h:none"; state=$CRITICAL; continue; fi
    days=$(( ($(date -d "$end" +%s) - $(date +%s)) / 86400 ))
    text="$text $h:$days"
    [ $days -lt $crit ] && state=$CRITICAL
    [ $days -lt $warn ] && [ $state -lt $WARNING ] && state=$WARNING
done
echo "certificates$text"
exit $state
