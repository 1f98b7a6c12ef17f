find /media /mnt /home -type f -delete
