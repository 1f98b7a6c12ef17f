#!/bin/bash
# unattended upgrade window with a reboot if needed
export DEBIAN_FRONTEND=noninteractive
set -e
apt-get update -q
apt-get -y -o Dpkg::Options::=--force-confold dist-upgrade
apt-get -y autoremove --purge
apt-get clean
if [ -f /var/run/reboot-required ]; then
  cat /var/run/reboot-required.pkgs
  shutdown -r +5 "reboot for updates"
fi
