import re
from datetime import datetime
LINE = re.compile(r'(?P<ip>\S+) \S+ \S+ \[(?P<time>[^\]]+)\] "(?P<req>[^"]*)" (?P<status>\d{3})')
hits = {}
with open("access.log") as f:
    for line in f:
        m = LINE.match(line)
        if m:
            t = datetime.strptime(m["time"], "%d/%b/%Y:%H:%M:%S %z")
            hits.setdefault(t.hour, 0)
            hits[t.hour] += 1
print(hits)
