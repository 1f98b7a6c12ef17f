#!/usr/bin/env python3
"""pre-commit: refuse commits that add secrets."""
import re
import subprocess
import sys

RULES = {
    "aws key": re.compile(r"\bAKIA[0-9A-Z]{16}\b"),
    "private key": re.compile(r"-----BEGIN (?:RSA |EC |OPENSSH )?PRIVATE KEY-----"),
    "github token": re.compile(r"\bgh[pousr]_[A-Za-z0-9]{36}\b"),
    "password": re.compile(r"(?i)\bpassword\s*[=:]\s*['\"][^'\"]{8,}['\"]"),
}

diff = subprocess.run(["git", "diff", "--cached", "-U0", "--no-color"], capture_output=True, text=True, check=True).stdout
found, name = [], "?"
for line in diff.splitlines():
    if line.startswith("+++ b/"):
        name = line[6:]
    elif line.startswith("+"):
        for kind, rx in RULES.items():
            if m := rx.search(line):
                found.append(f"{name}: {kind}: {m[0][:4]}…")
if found:
    print("\n".join(found), file=sys.stderr)
    sys.exit(1)
