import time
from collections import defaultdict

import psutil

"""Groups processes by name and prints the ten that use most memory."""


def snapshot():
    groups = defaultdict(lambda: [0, 0, 0.0])
    procs = []
    for p in psutil.process_iter(["name", "memory_info"]):
        try:
            p.cpu_percent()
            procs.append(p)
        except psutil.Error:
            continue
    time.sleep(1)
    for p in procs:
        try:
            g = groups[p.info["name"]]
            g[0] += 1
            g[1] += p.info["memory_info"].rss
            g[2] += p.cpu_percent()
        except psutil.Error:
            pass
    return groups


top = sorted(snapshot().items(), key=lambda kv: -kv[1][1])[:10]
print(f"{'name':25}{'n':>4}{'MiB':>9}{'cpu%':>7}")
for name, (n, rss, cpu) in top:
    print(f"{name[:24]:25}{n:>4}{rss / 2**20:>9.0f}{cpu:>7.1f}")
m = psutil.virtual_memory()
print(f"total {m.total / 2**30:.1f} GiB, available {m.available / 2**30:.1f} GiB")
