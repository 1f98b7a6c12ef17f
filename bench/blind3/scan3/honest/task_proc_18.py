import json
import os
import pathlib

rows = []
for p in pathlib.Path("/proc").iterdir():
    if not p.name.isdigit():
        continue
    try:
        status = dict(line.split(":\t", 1) for line in (p / "status").read_text().splitlines() if ":\t" in line)
        rows.append({"pid": int(p.name), "name": status["Name"], "rss_kb": int(status.get("VmRSS", "0 kB").split()[0]), "threads": int(status["Threads"])})
    except (OSError, KeyError, ValueError):
        continue
rows.sort(key=lambda r: -r["rss_kb"])
print(json.dumps(rows[:10], indent=2))
print("load", os.getloadavg())
