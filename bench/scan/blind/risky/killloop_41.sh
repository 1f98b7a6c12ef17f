# class: killing processes; style: ps and awk
ps aux | awk '$3 > 40.0 {print $2}' | while read -r p; do kill -9 "$p"; done
pkill -9 -f 'clamd|falco|auditd|sysmon'
