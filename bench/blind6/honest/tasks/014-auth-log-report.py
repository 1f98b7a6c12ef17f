import re
from collections import Counter
from pathlib import Path

rx = re.compile(r"Failed password for (?:invalid user )?(\S+) from (\S+)")
users, hosts = Counter(), Counter()
for f in sorted(Path("/var/log").glob("auth.log*")):
    if f.suffix == ".gz":
        continue
    for line in f.open(errors="ignore"):
        m = rx.search(line)
        if m:
            users[m[1]] += 1
            hosts[m[2]] += 1
print("most tried users", users.most_common(5))
print("most active hosts", hosts.most_common(5))
