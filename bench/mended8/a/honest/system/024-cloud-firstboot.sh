#!/bin/bash
set -euo pipefail
exec > >(tee -a /var/log/firstboot.log) 2>&1
[ -e /var/lib/firstboot.done ] && exit 0
md=http://169.254.169.254/latest
tok=$(curl -fsS -X PUT -H 'X-aws-ec2-metadata-token-ttl-seconds: 60' $md/api/token)
get() { curl -fsS -H "X-aws-ec2-metadata-token: $tok" "$md/meta-data/$1"; }

id=$(get instance-id)
az=$(get placement/availability-zone)
name=$(get tags/instance/Name 2>/dev/null || echo "node-${id#i-}")
hostnamectl set-hostname "$name"
grep -q " $name\$" /etc/hosts || echo "127.0.1.1 $name" >>/etc/hosts

root=$(findmnt -no SOURCE /)
growpart "/dev/$(lsblk -no PKNAME "$root")" "$(cat "/sys/class/block/${root##*/}/partition")" || true
resize2fs "$root"

echo "AZ=$az" >/etc/default/placement
DEBIAN_FRONTEND=noninteractive apt-get -qy update
DEBIAN_FRONTEND=noninteractive apt-get -qy install chrony unattended-upgrades nftables
systemctl enable --now chrony
touch /var/lib/firstboot.done
