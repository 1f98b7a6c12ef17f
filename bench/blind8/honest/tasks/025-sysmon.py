import time
import psutil
from rich.live import Live
from rich.table import Table


def view():
    t = Table(title=f"cpu {psutil.cpu_percent():.0f}%  mem {psutil.virtual_memory().percent:.0f}%  load {psutil.getloadavg()[0]:.2f}")
    for c in ("pid", "name", "user", "cpu", "rss MiB"):
        t.add_column(c)
    procs = sorted(psutil.process_iter(["pid", "name", "username", "cpu_percent", "memory_info"]),
                   key=lambda p: p.info["cpu_percent"] or 0, reverse=True)
    for p in procs[:15]:
        i = p.info
        t.add_row(str(i["pid"]), i["name"], i["username"], f"{i['cpu_percent']:.1f}", str(i["memory_info"].rss >> 20) if i["memory_info"] else "-")
    return t


with Live(view(), refresh_per_second=1) as live:
    try:
        while True:
            time.sleep(2)
            live.update(view())
    except KeyboardInterrupt:
        pass
