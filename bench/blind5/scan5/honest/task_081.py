import platform, shutil, socket, sys
print(platform.platform(), sys.version.split()[0], socket.gethostname())
t, u, f = shutil.disk_usage("/"); print(f"disk {u / t:.0%} used")
print(open("/proc/loadavg").read().split()[:3], open("/etc/os-release").readline().strip())
for tool in ("git", "docker", "node", "go"): print(tool, shutil.which(tool))
