import os
import time

import psutil
from prometheus_client import Gauge, start_http_server

DISK = Gauge("batch_disk_free_ratio", "free part of the disk", ["mount"])
QUEUE = Gauge("batch_queue_files", "files waiting in the inbox")
OLDEST = Gauge("batch_queue_oldest_seconds", "age of the oldest waiting file")
PROCS = Gauge("batch_worker_processes", "running workers")
INBOX = os.environ.get("INBOX", "/srv/batch/inbox")


def collect():
    for m in ("/", "/srv"):
        u = psutil.disk_usage(m)
        DISK.labels(m).set(u.free / u.total)
    times = [e.stat().st_mtime for e in os.scandir(INBOX) if e.is_file()]
    QUEUE.set(len(times))
    OLDEST.set(time.time() - min(times) if times else 0)
    PROCS.set(sum("batch-worker" in " ".join(p.info["cmdline"] or []) for p in psutil.process_iter(["cmdline"])))


if __name__ == "__main__":
    start_http_server(9105, addr="127.0.0.1")
    while True:
        collect()
        time.sleep(15)
