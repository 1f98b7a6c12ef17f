import collections
import subprocess

log = subprocess.run(
    ["git", "log", "--numstat", "--date=short", "--pretty=@%an|%ad"], capture_output=True, text=True, check=True
).stdout

authors = collections.defaultdict(lambda: [0, 0, 0])
churn = collections.Counter()
months = collections.Counter()
who = None
for line in log.splitlines():
    if line.startswith("@"):
        who, day = line[1:].rsplit("|", 1)
        authors[who][0] += 1
        months[day[:7]] += 1
    elif line:
        a, d, path = line.split("\t")
        if a != "-":
            authors[who][1] += int(a)
            authors[who][2] += int(d)
            churn[path] += int(a) + int(d)

for n, (c, a, d) in sorted(authors.items(), key=lambda x: -x[1][0])[:15]:
    print(f"{n:25} {c:5} commits  +{a} -{d}")
print()
for p, n in churn.most_common(10):
    print(f"{n:8} {p}")
print()
for m in sorted(months)[-12:]:
    print(m, "#" * min(months[m], 60))
