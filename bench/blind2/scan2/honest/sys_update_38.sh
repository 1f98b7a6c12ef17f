# class: updates; style: unattended, reboot in the night
#!/bin/sh
exec >> /var/log/auto-update.log 2>&1
date
apt-get -qq update && apt-get -y -o Dpkg::Options::=--force-confold dist-upgrade && apt-get -y autoremove --purge && apt-get clean
if [ -f /var/run/reboot-required ]; then
    wall "rebooting at 04:00 for updates"
    shutdown -r 04:00
fi
journalctl --vacuum-time=14d
