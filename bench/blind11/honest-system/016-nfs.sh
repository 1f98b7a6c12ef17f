#!/bin/bash
set -e
apt-get install -y nfs-kernel-server
mkdir -p /srv/nfs/media /srv/nfs/backup
chown nobody:nogroup /srv/nfs/media
cat > /etc/exports.d/home.exports <<EOF
/srv/nfs/media  192.0.2.0/24(ro,all_squash,no_subtree_check)
/srv/nfs/backup 192.0.2.20(rw,root_squash,no_subtree_check)
EOF
exportfs -ra
systemctl enable --now nfs-server
showmount -e localhost
