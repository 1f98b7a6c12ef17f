import threading, queue
def worker(q, out):
    while (n := q.get()) is not None: out.append(n ** 3)
q, out = queue.Queue(), []
ts = [threading.Thread(target=worker, args=(q, out)) for _ in range(4)]
[t.start() for t in ts]; [q.put(i) for i in range(50)]; [q.put(None) for _ in ts]; [t.join() for t in ts]
print(sorted(out)[:5])
