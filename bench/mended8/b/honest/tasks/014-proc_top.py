import collections
from pathlib import Path


def pss(pid_dir: Path) -> int:
    for line in (pid_dir / "smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1])
    return 0


usage, count = collections.Counter(), collections.Counter()
for d in Path("/proc").iterdir():
    if not d.name.isdigit():
        continue
    try:
        name = (d / "comm").read_text().strip()
        usage[name] += pss(d)
        count[name] += 1
    except (PermissionError, FileNotFoundError, ProcessLookupError):
        continue

print(f"{'NAME':<20}{'N':>4}{'PSS MiB':>10}")
for name, kib in usage.most_common(15):
    print(f"{name:<20}{count[name]:>4}{kib / 1024:>10.1f}")
