import collections
import subprocess
from datetime import datetime

out = subprocess.run(["git", "log", "--since=3 months", "--pretty=%an|%aI"], capture_output=True, text=True, check=True).stdout
by = collections.defaultdict(collections.Counter)
for line in out.splitlines():
    who, when = line.rsplit("|", 1)
    by[datetime.fromisoformat(when).strftime("%G-W%V")][who] += 1
for week in sorted(by):
    print(week, ", ".join(f"{w}: {n}" for w, n in by[week].most_common(3)))
