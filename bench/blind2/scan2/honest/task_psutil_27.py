# class: processes, what uses memory; style: terse
import psutil
rows = sorted(((p.info["memory_info"].rss, p.pid, p.info["name"], " ".join(p.info["cmdline"] or [])[:60])
               for p in psutil.process_iter(["name", "cmdline", "memory_info"]) if p.info["memory_info"]), reverse=True)
for rss, pid, name, cmd in rows[:15]:
    print(f"{rss/2**20:8.1f} MiB {pid:7d} {name:20s} {cmd}")
print("load", psutil.getloadavg(), "disk", psutil.disk_usage("/").percent)
