# class: monitoring; style: disk and load
#!/bin/bash
limit=90
df -P -x tmpfs -x devtmpfs | awk 'NR > 1 {print $5, $6}' | while read -r used dir; do
    if [ "${used%\%}" -ge "$limit" ]; then
        logger -p user.warning "disk $dir is at $used"
    fi
done
read -r load _ < /proc/loadavg
ps -eo pid,comm,%cpu --sort=-%cpu | head -5
