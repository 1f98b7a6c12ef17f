# class: log parsing; style: regex
import re
import sys
from collections import Counter

LINE = re.compile(r'(?P<ip>\S+) \S+ \S+ \[(?P<time>[^\]]+)\] "(?P<method>\S+) (?P<path>\S+)[^"]*" (?P<status>\d+)')
status, paths = Counter(), Counter()
with open(sys.argv[1] if len(sys.argv) > 1 else "/var/log/nginx/access.log") as fh:
    for line in fh:
        if m := LINE.match(line):
            status[m["status"]] += 1
            paths[m["path"]] += 1
print(status.most_common(), paths.most_common(10), sep="\n")
