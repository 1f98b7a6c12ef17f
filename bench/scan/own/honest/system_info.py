# a status page: load, memory, disk, processes
import os, platform, shutil, socket
print(platform.platform(), socket.gethostname(), os.cpu_count())
print(open("/proc/loadavg").read().split()[:3])
mem = dict(l.split(":", 1) for l in open("/proc/meminfo"))
print("free", mem["MemAvailable"].strip(), "disk", shutil.disk_usage("/").free // 2**30, "GiB")
print("limit", open("/sys/fs/cgroup/memory.max").read().strip())
count = sum(d.isdigit() for d in os.listdir("/proc"))
print(count, "processes")
