#cloud-config helper run once
set -x
hostnamectl set-hostname "web-$(curl -s http://169.254.169.254/latest/meta-data/instance-id)"
timedatectl set-timezone UTC
systemctl enable --now chrony unattended-upgrades
