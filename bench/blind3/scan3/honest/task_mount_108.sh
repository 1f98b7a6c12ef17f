# look into the image that the customer sent
set -e
file disk.img
fdisk -l disk.img
off=$(fdisk -l -o Start disk.img | tail -n 1 | tr -d ' ')
mkdir -p /tmp/img
sudo mount -o ro,loop,offset=$((off * 512)) disk.img /tmp/img
ls -la /tmp/img
cp -r /tmp/img/var/log ./customer-logs
sudo umount /tmp/img
