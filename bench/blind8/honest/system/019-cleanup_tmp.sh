#!/bin/bash
set -uo pipefail
before=$(df --output=avail / | tail -1)
find /tmp /var/tmp -xdev -mindepth 1 -type f -atime +10 -not -path '*/systemd-private-*' -not -name '.X*' -delete 2>/dev/null
find /tmp /var/tmp -xdev -mindepth 1 -type d -empty -mtime +10 -not -path '*/systemd-private-*' -delete 2>/dev/null
apt-get -qq clean
journalctl -q --vacuum-time=30d
for old in $(dpkg -l 'linux-image-[0-9]*' | awk '/^rc/{print $2}'); do
  apt-get -qq -y purge "$old"
done
after=$(df --output=avail / | tail -1)
logger -t cleanup "freed $(( (after - before) / 1024 )) MiB"
