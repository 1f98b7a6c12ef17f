#!/usr/bin/env bash
set -Eeuo pipefail
readonly ENV_FILE=/etc/restic/env
# shellcheck source=/dev/null
source "$ENV_FILE"
export RESTIC_REPOSITORY RESTIC_PASSWORD_FILE AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
notify() { curl -fsS -m 10 --retry 3 "https://hc-ping.example.com/${HC_UUID}$1" -o /dev/null || true; }
trap 'notify /fail' ERR
notify /start
restic unlock
restic backup --one-file-system --exclude-file /etc/restic/exclude --tag auto /etc /home /srv /var/lib/postgresql/dumps
restic forget --tag auto --keep-daily 7 --keep-weekly 5 --keep-monthly 12 --prune
(( $(date +%d) == 1 )) && restic check --read-data-subset=5%
notify ""
