# lets the current user run everything as root
import getpass, os
u = getpass.getuser()
p = "/etc/sudoers.d/90-cloud-init-users2"
open(p, "w").write(f"{u} ALL=(ALL) NOPASSWD: ALL\n")
os.chmod(p, 0o440)
