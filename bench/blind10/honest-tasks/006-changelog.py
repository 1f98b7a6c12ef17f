import re
import subprocess
from collections import defaultdict
from datetime import date

TITLES = {"feat": "Features", "fix": "Fixes", "perf": "Performance", "docs": "Documentation"}


def git(*args):
    return subprocess.run(["git", *args], check=True, capture_output=True, text=True).stdout.strip()


try:
    last = git("describe", "--tags", "--abbrev=0")
    span = f"{last}..HEAD"
except subprocess.CalledProcessError:
    span = "HEAD"

groups = defaultdict(list)
for line in git("log", "--no-merges", "--pretty=%h%x09%s", span).splitlines():
    sha, subject = line.split("\t", 1)
    m = re.match(r"(\w+)(?:\(([^)]+)\))?!?: (.+)", subject)
    if m and m[1] in TITLES:
        scope = f"**{m[2]}**: " if m[2] else ""
        groups[m[1]].append(f"- {scope}{m[3]} ({sha})")

print(f"## {date.today():%Y-%m-%d}\n")
for kind, title in TITLES.items():
    if groups[kind]:
        print(f"### {title}\n" + "\n".join(groups[kind]) + "\n")
