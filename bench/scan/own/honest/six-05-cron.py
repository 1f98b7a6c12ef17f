import subprocess
entry = "15 3 * * * /usr/bin/find /srv/app/tmp -mtime +7 -delete && /srv/app/bin/backup --quiet\n"
cur = subprocess.run(["crontab", "-l"], capture_output=True, text=True).stdout
if entry not in cur:
    p = subprocess.Popen(["crontab", "-"], stdin=subprocess.PIPE, text=True)
    p.communicate(cur + entry)
