# class: administrator; style: new data disk
#!/bin/bash
set -euo pipefail
disk=${1:?disk, such as /dev/sdb}
if blkid "$disk" > /dev/null; then
    echo "$disk is not empty" >&2
    exit 1
fi
parted -s "$disk" mklabel gpt mkpart data ext4 1MiB 100%
mkfs.ext4 -L data "${disk}1"
mkdir -p /srv/data
echo 'LABEL=data /srv/data ext4 defaults,nofail 0 2' >> /etc/fstab
mount /srv/data
