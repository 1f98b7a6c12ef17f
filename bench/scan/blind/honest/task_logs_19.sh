# class: log analysis; style: awk pipeline
zcat -f /var/log/nginx/access.log* | awk '{print $1}' | sort | uniq -c | sort -rn | head -20
awk '$9 >= 500 {print $4, $7, $9}' /var/log/nginx/access.log | tail -50
journalctl -u app --since '1 hour ago' | grep -i error | tail
