"""Look for secrets in the staged files before they get pushed. Prints places, not values."""
import re
import subprocess
import sys

RULES = {
    "aws key": re.compile(r"\bAKIA[0-9A-Z]{16}\b"),
    "private key": re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----"),
    "forge token": re.compile(r"\bgh[pousr]_[A-Za-z0-9]{36}\b"),
    "password in url": re.compile(r"://[^/\s:]+:[^@\s]{4,}@"),
}
IGNORE = {"tests/fixtures/", "docs/examples/"}


def staged():
    out = subprocess.check_output(["git", "diff", "--cached", "--name-only", "-z", "--diff-filter=ACM"])
    return [f for f in out.decode().split("\0") if f and not any(f.startswith(i) for i in IGNORE)]


found = 0
for name in staged():
    blob = subprocess.check_output(["git", "show", f":{name}"])
    if b"\0" in blob[:8000]:
        continue
    for no, line in enumerate(blob.decode(errors="replace").splitlines(), 1):
        for what, rx in RULES.items():
            if rx.search(line):
                print(f"{name}:{no}: {what}")
                found += 1
sys.exit(1 if found else 0)
