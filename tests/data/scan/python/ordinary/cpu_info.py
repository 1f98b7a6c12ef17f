import os
import platform
import sys
import time
print(platform.system(), platform.python_version(), os.cpu_count(), sys.version_info[:2])
with open("/proc/cpuinfo") as f:
    print(sum(line.startswith("processor") for line in f))
start = time.perf_counter()
sum(range(10 ** 6))
print(time.perf_counter() - start)
