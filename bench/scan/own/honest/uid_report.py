import collections
shells = collections.Counter()
with open("/etc/passwd") as f:
    for line in f:
        name, _, uid, gid, gecos, home, shell = line.rstrip("\n").split(":")
        if int(uid) >= 1000:
            shells[shell] += 1
for shell, n in shells.most_common():
    print(f"{n:4} {shell}")
