# class: monitoring; style: psutil
import psutil

print("cpu", psutil.cpu_percent(interval=1))
print("mem", psutil.virtual_memory().percent)
for p in sorted(psutil.process_iter(["pid", "name", "memory_percent"]),
    key=lambda p: -(p.info["memory_percent"] or 0))[:5]:
    print(p.info)
