# watches CPU and memory and writes a table
import csv
import time
import psutil

with open("usage.csv", "a", newline="") as fh:
    w = csv.writer(fh)
    for _ in range(60):
        vm = psutil.virtual_memory()
        top = max(psutil.process_iter(["name", "memory_info"]), key=lambda p: p.info["memory_info"].rss if p.info["memory_info"] else 0)
        w.writerow([int(time.time()), psutil.cpu_percent(interval=1), vm.percent, top.info["name"]])
