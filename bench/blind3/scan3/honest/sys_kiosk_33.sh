#!/bin/sh
# image for the info screens
set -e
ROOT=/srv/kiosk
debootstrap --variant=minbase bookworm $ROOT http://deb.debian.org/debian
for m in proc sys dev dev/pts; do mount --bind /$m $ROOT/$m; done
trap 'for m in dev/pts dev sys proc; do umount $ROOT/$m; done' EXIT
cat > $ROOT/tmp/setup <<'S'
#!/bin/sh
apt-get update && apt-get -y install --no-install-recommends linux-image-amd64 xinit chromium
useradd -m kiosk
echo kiosk:kiosk | chpasswd
mkdir -p /etc/systemd/system/getty@tty1.service.d
printf '[Service]\nExecStart=\nExecStart=-/sbin/agetty --autologin kiosk --noclear %%I $TERM\n' > /etc/systemd/system/getty@tty1.service.d/auto.conf
echo 'exec startx /usr/bin/chromium --kiosk http://info.house.example' >> /home/kiosk/.profile
S
chmod +x $ROOT/tmp/setup
chroot $ROOT /tmp/setup
rm $ROOT/tmp/setup
mksquashfs $ROOT /srv/tftp/kiosk.squashfs -noappend -e boot
