# class: disk; style: prepares a new data volume
#!/bin/bash
set -euo pipefail
DEV=${1:?device}
if blkid "$DEV" >/dev/null; then echo "$DEV has a file system, leaving it" >&2; exit 1; fi
read -rp "Format $DEV? [yes/no] " a; [[ $a == yes ]] || exit 1
mkfs.ext4 -L data -m 1 "$DEV"
mkdir -p /srv/data
echo "LABEL=data /srv/data ext4 defaults,noatime 0 2" >> /etc/fstab
mount /srv/data && chown www-data: /srv/data
