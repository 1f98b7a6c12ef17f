#!/bin/bash
set -uo pipefail
. /etc/restic/env    # RESTIC_REPOSITORY, RESTIC_PASSWORD_FILE
export RESTIC_REPOSITORY RESTIC_PASSWORD_FILE
log=/var/log/restic/$(date +%F).log
mkdir -p "${log%/*}"
exec > >(tee -a "$log") 2>&1

pg_dumpall -U postgres --clean | gzip > /var/backups/pg.sql.gz
restic backup --one-file-system --tag nightly \
  --exclude-file /etc/restic/exclude /etc /home /root /srv /var/lib /var/backups
rc=$?
restic forget --tag nightly --keep-daily 7 --keep-weekly 5 --keep-monthly 12 --prune
[ "$(date +%u)" = 7 ] && restic check --read-data-subset=2%
if [ $rc -ne 0 ]; then
  mail -s "backup FAILED on $(hostname -f)" root < "$log"
else
  curl -fsS -m 10 --retry 3 "https://hc.example.org/ping/$(cat /etc/restic/hc-uuid)" > /dev/null
fi
exit $rc
