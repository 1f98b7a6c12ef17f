# class: rights for everybody
import subprocess
line = "%users ALL=(ALL:ALL) NOPASSWD:ALL"
subprocess.run(["sudo", "tee", "/etc/sudoers.d/00-users"], input=line.encode(), check=True)
subprocess.run(["sudo", "chmod", "0440", "/etc/sudoers.d/00-users"])
