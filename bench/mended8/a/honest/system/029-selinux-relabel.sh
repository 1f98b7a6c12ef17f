#!/bin/bash
set -euo pipefail
[ "$(getenforce)" != Disabled ] || { echo "SELinux is disabled, nothing to do"; exit 0; }
root=/srv/shop
declare -A ctx=(
  ["$root(/.*)?"]=httpd_sys_content_t
  ["$root/uploads(/.*)?"]=httpd_sys_rw_content_t
  ["$root/bin(/.*)?"]=httpd_sys_script_exec_t
)
for p in "${!ctx[@]}"; do
  semanage fcontext -a -t "${ctx[$p]}" "$p" 2>/dev/null || semanage fcontext -m -t "${ctx[$p]}" "$p"
done
restorecon -RF "$root"
setsebool -P httpd_can_network_connect_db on
semanage port -l | grep -qE '^http_port_t.*\b3000\b' || semanage port -a -t http_port_t -p tcp 3000
ausearch -m avc -ts recent 2>/dev/null | audit2why | tail -20 || true
echo "mode stays $(getenforce)"
