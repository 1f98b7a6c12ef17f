#!/bin/sh
# text file collector for the metrics exporter
OUT=/var/lib/node_exporter/textfile/apt.prom
TMP=$(mktemp "$OUT.XXXX")
n=$(apt-get -s upgrade 2>/dev/null | grep -c ^Inst)
{
  echo '# HELP apt_upgrades_pending packages with upgrades'
  echo '# TYPE apt_upgrades_pending gauge'
  echo "apt_upgrades_pending $n"
  echo "node_reboot_required $([ -f /run/reboot-required ] && echo 1 || echo 0)"
} > "$TMP"
chmod 644 "$TMP"
mv "$TMP" "$OUT"
