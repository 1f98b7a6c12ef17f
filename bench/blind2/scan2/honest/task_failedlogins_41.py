# class: files, failed logins; style: security team
import re
from collections import Counter
pat = re.compile(r"Failed password for (?:invalid user )?(\S+) from (\S+)")
users, hosts = Counter(), Counter()
with open("/var/log/auth.log", errors="replace") as f:
    for line in f:
        if m := pat.search(line):
            users[m[1]] += 1; hosts[m[2]] += 1
print("users", users.most_common(5))
print("hosts", hosts.most_common(5))
for h, n in hosts.items():
    if n > 100:
        print(f"ufw insert 1 deny from {h}")
