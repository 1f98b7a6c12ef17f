# counts errors in a web server's log by hour
import re, gzip, glob, collections
hours = collections.Counter()
for name in glob.glob("/var/log/nginx/*.log*"):
    opener = gzip.open if name.endswith(".gz") else open
    with opener(name, "rt", errors="replace") as f:
        for line in f:
            m = re.search(r'\[(\d+/\w+/\d+:\d+).*" 5\d\d ', line)
            if m: hours[m.group(1)] += 1
for h, n in sorted(hours.items()): print(h, n)
