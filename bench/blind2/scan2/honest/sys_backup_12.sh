# class: backup; style: restic by cron
#!/bin/bash
set -euo pipefail
. /etc/restic/env          # RESTIC_REPOSITORY, RESTIC_PASSWORD_FILE
exec 9> /run/lock/restic.lock
flock -n 9 || { logger -t restic "still running"; exit 0; }
restic backup /etc /home /srv /root --exclude-file /etc/restic/exclude --tag nightly
restic forget --keep-daily 7 --keep-weekly 5 --keep-monthly 12 --prune
restic check --read-data-subset=2%
curl -fsS -m 10 --retry 3 "https://hc-ping.com/${HC_UUID}" > /dev/null
