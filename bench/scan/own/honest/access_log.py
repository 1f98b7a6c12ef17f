import gzip, glob, re, collections
c = collections.Counter()
for name in glob.glob("/var/log/nginx/access.log*"):
    op = gzip.open if name.endswith(".gz") else open
    with op(name, "rt", errors="replace") as f:
        for line in f:
            c[line.split()[0]] += 1
print(c.most_common(10))
