import queue
import threading

jobs, results = queue.Queue(), []
lock = threading.Lock()


def worker():
    while (n := jobs.get()) is not None:
        total = sum(d for d in range(1, n) if n % d == 0)
        with lock:
            results.append((n, total == n))
    jobs.put(None)


for n in range(2, 2000):
    jobs.put(n)
jobs.put(None)
pool = [threading.Thread(target=worker) for _ in range(4)]
for t in pool:
    t.start()
for t in pool:
    t.join()
print([n for n, perfect in sorted(results) if perfect])
