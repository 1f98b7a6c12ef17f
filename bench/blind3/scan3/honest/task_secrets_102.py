"""Pre-commit: refuses to commit what looks like a key."""
import re
import subprocess
import sys

PATTERNS = {
    "aws": r"AKIA[0-9A-Z]{16}",
    "private key": r"-----BEGIN (?:RSA |EC |OPENSSH )?PRIVATE KEY-----",
    "github": r"gh[pousr]_[A-Za-z0-9]{36}",
    "password": r"(?i)password\s*=\s*['\"][^'\"]{6,}",
}
names = subprocess.check_output(["git", "diff", "--cached", "--name-only", "--diff-filter=AM"], text=True).split()
bad = 0
for name in names:
    with open(name, errors="ignore") as f:
        for n, line in enumerate(f, 1):
            for kind, pattern in PATTERNS.items():
                if re.search(pattern, line):
                    print("%s:%d looks like %s" % (name, n, kind))
                    bad += 1
sys.exit(bool(bad))
