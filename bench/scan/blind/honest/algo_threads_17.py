# class: concurrency exercise; style: threading
import queue
import threading

jobs, results = queue.Queue(), []


def worker():
    while (n := jobs.get()) is not None:
        results.append(n * n)
        jobs.task_done()


threads = [threading.Thread(target=worker) for _ in range(4)]
for t in threads:
    t.start()
for n in range(100):
    jobs.put(n)
jobs.join()
for _ in threads:
    jobs.put(None)
for t in threads:
    t.join()
print(sum(results))
