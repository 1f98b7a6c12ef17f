#!/usr/bin/env bash
set -euo pipefail
export RESTIC_REPOSITORY=/mnt/nas/restic
export RESTIC_PASSWORD_FILE=$HOME/.config/restic/pass

restic backup "$HOME/projects" --exclude node_modules --exclude .venv --exclude target
restic forget --keep-daily 7 --keep-weekly 5 --keep-monthly 12 --prune
restic check --read-data-subset=2%
