import subprocess
from collections import Counter

log = subprocess.check_output(["git", "log", "--format=%an", "--since=30 days ago"], text=True)
for name, n in Counter(log.splitlines()).most_common():
    print(f"{n:4d} {name}")
