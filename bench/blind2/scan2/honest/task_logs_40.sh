# class: files, reads an access log; style: sysadmin one-liners
log=${1:-/var/log/nginx/access.log}
echo "== top addresses"; awk '{print $1}' "$log" | sort | uniq -c | sort -rn | head
echo "== errors"; awk '$9 >= 500 {print $7}' "$log" | sort | uniq -c | sort -rn | head
echo "== attacks"; grep -E '\.\./|/etc/passwd|wp-login|union.*select' "$log" | awk '{print $1, $7}' | head -20
