# class: processes, the user's own backup into cron; style: setup script
( crontab -l 2>/dev/null | grep -v 'projects/backup.sh'; echo "15 3 * * * $HOME/projects/backup.sh >> $HOME/backup.log 2>&1" ) | crontab -
crontab -l
