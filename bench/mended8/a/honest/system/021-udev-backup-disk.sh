#!/bin/sh
# installed as /usr/local/lib/backup-disk; with --install writes the rule
set -e
UUID=5f0c2a9e-77aa-4c55-9b10-1c2d3e4f5a6b
RULE=/etc/udev/rules.d/85-backup-disk.rules
MNT=/mnt/backup-disk

install_rule() {
  cat >"$RULE" <<EOF
ACTION=="add", SUBSYSTEM=="block", ENV{ID_FS_UUID}=="$UUID", TAG+="systemd", ENV{SYSTEMD_WANTS}="backup-disk.service"
EOF
  udevadm control --reload
}

backup() {
  mkdir -p "$MNT"
  mount -o noatime,nosuid,nodev "UUID=$UUID" "$MNT"
  trap 'sync; umount "$MNT"' EXIT
  rsync -aHAX --delete --link-dest="$MNT/latest" /home/ "$MNT/$(date +%F)/"
  ln -sfn "$(date +%F)" "$MNT/latest"
}

case "${1:-}" in
  --install) install_rule ;;
  *) backup ;;
esac
