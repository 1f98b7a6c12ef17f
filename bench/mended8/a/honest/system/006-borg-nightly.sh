#!/bin/bash
set -u
export BORG_REPO=ssh://borg@backup.example.com/./$(hostname -s)
export BORG_PASSCOMMAND="cat /root/.config/borg/passphrase"
exec 9>/run/borg-nightly.lock
flock -n 9 || { logger -t borg "previous run still active"; exit 0; }

pg_dumpall -U postgres --clean | zstd -q -o /var/backups/pg-all.sql.zst -f

borg create --stats --compression zstd,6 --exclude-caches \
  --exclude '/home/*/.cache' --exclude /var/tmp \
  ::'{hostname}-{now:%Y-%m-%d}' /etc /home /root /srv /var/backups /var/lib/docker/volumes
rc=$?
borg prune --list --glob-archives '{hostname}-*' --keep-daily 7 --keep-weekly 4 --keep-monthly 6
borg compact
if [ $rc -gt 1 ]; then
  echo "borg ended with $rc, see journal" | mail -s "backup failed on $(hostname)" root
fi
curl -fsS -m 10 --retry 3 -o /dev/null "https://health.example.com/ping/borg-$(hostname -s)/$rc" || true
exit $rc
