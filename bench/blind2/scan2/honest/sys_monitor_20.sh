# class: monitoring; style: disk and units, mail
#!/bin/bash
TO=root
df -P -x tmpfs -x devtmpfs | awk 'NR>1 && $5+0 > 90 {print $6, $5}' > /run/diskwarn
failed=$(systemctl --failed --no-legend --plain | awk '{print $1}')
if [[ -s /run/diskwarn || -n $failed ]]; then
    { echo "host: $(hostname -f)"; cat /run/diskwarn; echo "failed: $failed"; journalctl -p err --since -1h --no-pager | tail -30; last -n 5; } | mail -s "warnings on $(hostname -s)" $TO
fi
