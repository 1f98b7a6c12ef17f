"""Pre-merge check: find credentials that were committed by accident."""
import re
import subprocess
import sys

RULES = {
    "aws key": re.compile(r"AKIA[0-9A-Z]{16}"),
    "github token": re.compile(r"gh[pousr]_[A-Za-z0-9]{36}"),
    "private key": re.compile(r"-----BEGIN (?:RSA |EC |OPENSSH )?PRIVATE KEY-----"),
    "slack": re.compile(r"xox[baprs]-[A-Za-z0-9-]{10,}"),
    "password": re.compile(r"(?i)password\s*[:=]\s*['\"][^'\"]{8,}['\"]"),
}
ALLOW = set(open(".secretsignore").read().split()) if "--baseline" in sys.argv else set()

found = 0
for f in subprocess.check_output(["git", "ls-files", "-z"], text=True).split("\0"):
    if not f or f in ALLOW:
        continue
    try:
        lines = open(f, encoding="utf-8").read().splitlines()
    except (UnicodeDecodeError, OSError):
        continue
    for n, l in enumerate(lines, 1):
        for name, rx in RULES.items():
            if rx.search(l):
                found += 1
                print(f"{f}:{n}: possible {name}")
sys.exit(1 if found else 0)
