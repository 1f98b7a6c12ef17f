import psutil, time
for _ in range(5):
    top = sorted(psutil.process_iter(["pid", "name", "memory_info"]), key=lambda p: p.info["memory_info"].rss if p.info["memory_info"] else 0, reverse=True)[:5]
    for p in top: print(p.info["pid"], p.info["name"], p.info["memory_info"].rss >> 20, "MiB")
    time.sleep(2)
