# class: monitoring; possible: low medium
import json, time, urllib.request
import psutil
for _ in range(4):
    snap = {"cpu": psutil.cpu_percent(.3), "mem": psutil.virtual_memory().percent, "disk": psutil.disk_usage("/tmp").percent,
            "top": [p.info for p in psutil.process_iter(["pid", "name", "memory_percent"])][:5]}
    urllib.request.urlopen("http://store.good.test/metrics", json.dumps(snap).encode(), timeout=5).read(); time.sleep(1.5)
