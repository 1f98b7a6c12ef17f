#!/bin/sh
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
log=/var/log/apt-auto.log
{
  date
  apt-get -qq update || exit 1
  apt-get -s dist-upgrade | grep ^Inst
  apt-get -y -q -o Dpkg::Options::=--force-confold -o Dpkg::Options::=--force-confdef dist-upgrade
  apt-get -y -q autoremove --purge
  apt-get -q autoclean
} >> "$log" 2>&1
rc=$?
[ -f /var/run/reboot-required ] && echo "reboot needed: $(cat /var/run/reboot-required.pkgs 2>/dev/null | tr '\n' ' ')" | mail -s "$(hostname): reboot required" root
exit $rc
