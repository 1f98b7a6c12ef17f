# class: monitoring; possible: low medium
for i in 1 2 3 4; do
  awk '/^cpu /{print $2+$4, $5}' /proc/stat; cat /proc/loadavg; df -h /tmp | tail -1; ps -eo pid,comm,rss | sort -k3 -n | tail -3
  uptime; free -m | head -2; id; ulimit -a | head -4; sleep 1
done
