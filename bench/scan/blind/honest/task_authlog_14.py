# class: log parsing, failed logins; style: administrator's script
import re
from collections import Counter

failed = Counter()
for line in open("/var/log/auth.log", errors="replace"):
    m = re.search(r"Failed password for (?:invalid user )?(\S+) from (\S+)", line)
    if m:
        failed[m.group(2)] += 1
for ip, n in failed.most_common(20):
    print(f"{n:6} {ip}")
