# class: monitoring; style: reads /proc
from pathlib import Path

load = Path("/proc/loadavg").read_text().split()[:3]
mem = dict(l.split(":") for l in Path("/proc/meminfo").read_text().splitlines())
print("load", load, "free", mem["MemAvailable"].strip())
for d in Path("/proc").iterdir():
    if d.name.isdigit():
        try:
            print(d.name, (d / "cmdline").read_bytes().replace(b"\0", b" ").decode()[:80])
        except OSError:
            continue
