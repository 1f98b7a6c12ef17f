#!/usr/bin/env python3
# pre-commit: refuse staged lines that look like credentials. local only.
import re, subprocess, sys

RX = [
	("aws key", re.compile(r"AKIA[0-9A-Z]{16}")),
	("private key", re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")),
	("github token", re.compile(r"gh[pousr]_[A-Za-z0-9]{36}")),
	("password literal", re.compile(r"""passw(or)?d\s*[:=]\s*['"][^'"]{6,}""", re.I)),
]

def staged():
	d = subprocess.run(["git", "diff", "--cached", "-U0", "--no-color"], capture_output=True, text=True, check=True).stdout
	f = n = None
	for l in d.splitlines():
		if l.startswith("+++ b/"):
			f = l[6:]
		elif l.startswith("@@"):
			n = int(re.search(r"\+(\d+)", l)[1])
		elif l.startswith("+"):
			yield f, n, l[1:]
			n += 1

hits = [(f, n, w) for f, n, l in staged() for w, r in RX if r.search(l) and "nosecret" not in l]
for h in hits:
	print("%s:%d: %s" % h, file=sys.stderr)
sys.exit(1 if hits else 0)
