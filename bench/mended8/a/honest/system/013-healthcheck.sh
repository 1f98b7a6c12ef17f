#!/bin/sh
rc=0
note() { printf '%-8s %s\n' "$1" "$2"; [ "$1" = OK ] || rc=1; }

for u in nginx postgresql orders; do
  systemctl is-active --quiet "$u" && note OK "$u running" || note CRIT "$u not running"
done
df -P -x tmpfs -x devtmpfs | awk 'NR>1 {sub("%","",$5); print $5, $6}' | while read -r p m; do
  if [ "$p" -ge 90 ]; then echo "CRIT     $m at $p%"; else echo "OK       $m at $p%"; fi
done | tee /run/hc.disk
grep -q CRIT /run/hc.disk && rc=1
avail=$(awk '/MemAvailable/{print int($2/1024)}' /proc/meminfo)
[ "$avail" -gt 512 ] && note OK "$avail MB free" || note WARN "only $avail MB free"
for c in /etc/haproxy/certs/*.pem; do
  openssl x509 -in "$c" -noout -checkend 1209600 >/dev/null && note OK "$c" || note WARN "$c ends within 14 days"
done
n=$(journalctl -q -p err --since -1h --no-pager | wc -l)
[ "$n" -lt 50 ] && note OK "$n errors in journal" || note WARN "$n errors in journal"
exit $rc
