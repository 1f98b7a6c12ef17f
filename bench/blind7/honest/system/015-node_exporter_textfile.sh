#!/bin/bash
# Textfile collector: pending updates, reboot flag, age of last backup
out=/var/lib/node_exporter/textfile/host.prom
tmp=$(mktemp "${out%/*}/.host.XXXXXX")
{
  echo '# HELP host_updates_pending Packages with updates'
  echo '# TYPE host_updates_pending gauge'
  echo "host_updates_pending $(apt-get -s dist-upgrade 2>/dev/null | grep -c ^Inst)"
  echo '# TYPE host_reboot_required gauge'
  echo "host_reboot_required $([ -f /run/reboot-required ] && echo 1 || echo 0)"
  echo '# TYPE host_backup_age_seconds gauge'
  last=$(stat -c %Y /var/backups/pg.sql.gz 2>/dev/null || echo 0)
  echo "host_backup_age_seconds $(( $(date +%s) - last ))"
  echo '# TYPE host_logged_in_users gauge'
  echo "host_logged_in_users $(who | wc -l)"
} > "$tmp"
chmod 644 "$tmp"
mv "$tmp" "$out"
