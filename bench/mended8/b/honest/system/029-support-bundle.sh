#!/usr/bin/env bash
# Makes a local archive for support. Nothing is sent; look at it before you attach it.
set -euo pipefail
d=$(mktemp -d); trap 'rm -rf "$d"' EXIT
out=$PWD/orders-support-$(date +%Y%m%d).tar.gz
redact() { sed -E 's/((password|secret|token|key)[^=:]*[=:]\s*).*/\1<redacted>/I'; }
uname -a > "$d/uname.txt"
systemctl status orders --no-pager > "$d/status.txt" || true
journalctl -u orders --since -2d --no-pager | redact > "$d/journal.txt"
redact < /etc/orders/orders.conf > "$d/orders.conf"
df -h > "$d/df.txt"; free -m > "$d/free.txt"; ss -ltn > "$d/ports.txt"
tar czf "$out" -C "$d" .
chmod 600 "$out"
echo "written: $out"
tar tzf "$out"
