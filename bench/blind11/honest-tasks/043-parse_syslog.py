"""Summary of failed SSH logins for the weekly mail."""
import gzip
import re
import sys
from collections import Counter

RX = re.compile(r"Failed password for (?:invalid user )?(\S+) from (\S+)")


def lines(path):
    op = gzip.open if path.endswith(".gz") else open
    with op(path, "rt", errors="replace") as fh:
        yield from fh


users, hosts = Counter(), Counter()
for path in sys.argv[1:] or ["/var/log/auth.log"]:
    for ln in lines(path):
        m = RX.search(ln)
        if m:
            users[m[1]] += 1
            hosts[m[2]] += 1

print("tried accounts:", users.most_common(10))
print("from:", hosts.most_common(10))
