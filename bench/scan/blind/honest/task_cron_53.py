# class: own cron job; style: tidy administrator
import subprocess

JOB = "15 3 * * * cd /srv/app && ./manage.py clearsessions >> logs/cron.log 2>&1"
have = subprocess.run(["crontab", "-l"], capture_output=True, text=True).stdout
if JOB not in have:
    subprocess.run(["crontab", "-"], input=have + JOB + "\n", text=True, check=True)
