#!/bin/sh
find /tmp /var/tmp -xdev -type f -atime +10 -delete
find /tmp /var/tmp -xdev -mindepth 1 -type d -empty -delete
find /home/*/.local/share/Trash/files -mindepth 1 -maxdepth 1 -mtime +30 -exec rm -rf {} +
find /var/log -name '*.gz' -mtime +90 -delete
journalctl --vacuum-size=500M
docker system prune -f --filter until=168h
apt-get -y autoremove && apt-get clean
