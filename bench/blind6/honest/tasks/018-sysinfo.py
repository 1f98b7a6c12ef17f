import platform
import shutil
import socket
import psutil

print("host", socket.gethostname(), platform.platform())
print("cpu", psutil.cpu_count(), psutil.cpu_percent(0.5), "%")
vm = psutil.virtual_memory()
print(f"mem {vm.used >> 20} / {vm.total >> 20} MiB")
for p in psutil.disk_partitions():
    u = shutil.disk_usage(p.mountpoint)
    print(f"{p.mountpoint:20} {u.used / u.total:6.1%}")
for pr in sorted(psutil.process_iter(["pid", "name", "memory_percent"]), key=lambda x: -(x.info["memory_percent"] or 0))[:5]:
    print(pr.info)
