#!/bin/bash
# computer pool: mount the course share at login, make a link on the desktop
SHARE=nas.school.example:/export/courses
MNT=/mnt/courses
[ "$(id -u)" -eq 0 ] || { echo "run me with sudo"; exit 1; }

apt-get install -y -q nfs-common
mkdir -p $MNT
if ! grep -q "$SHARE" /etc/fstab; then
  echo "$SHARE $MNT nfs ro,soft,noexec,nosuid,x-systemd.automount 0 0" >> /etc/fstab
fi
systemctl daemon-reload
mount -a
for h in /home/*; do
  u=$(basename "$h")
  [ -d "$h/Desktop" ] || continue
  ln -sfn $MNT "$h/Desktop/courses"
  chown -h "$u": "$h/Desktop/courses"
done
echo "mounted: $(df -h $MNT | tail -1)"
