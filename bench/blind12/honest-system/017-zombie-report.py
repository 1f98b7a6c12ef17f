#!/usr/bin/env python3
from pathlib import Path

rows = []
for st in Path("/proc").glob("[0-9]*/status"):
    try:
        d = dict(l.split(":\t", 1) for l in st.read_text().splitlines() if ":\t" in l)
    except (FileNotFoundError, ProcessLookupError):
        continue
    rss = int(d.get("VmRSS", "0 kB").split()[0])
    rows.append((rss, d["Name"], d["Pid"], d["State"]))
for r in sorted(rows, reverse=True)[:10]:
    print("%9d kB  %-18s %6s  %s" % r)
print("zombies:", sum(r[3].startswith("Z") for r in rows))
