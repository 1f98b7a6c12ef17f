#!/bin/bash
set -euo pipefail
export RESTIC_REPOSITORY=${RESTIC_REPOSITORY:-/mnt/nas/restic}
export RESTIC_PASSWORD_FILE=$HOME/.config/restic/password
restic snapshots -c >/dev/null 2>&1 || restic init
restic backup "$HOME" --exclude-caches --exclude "$HOME/.cache" --exclude '*/node_modules' --tag home
restic forget --keep-daily 7 --keep-weekly 4 --keep-monthly 6 --prune
restic check --read-data-subset=1%
