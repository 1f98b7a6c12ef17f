# class: training; possible: low medium; style: two processes, a connection that stays, JSON lines
import json
import multiprocessing
import random
import socket
import time


def worker(seed, queue, seconds):
    random.seed(seed)
    end = time.time() + seconds
    best = 0.0
    while time.time() < end:
        best = max(best, sum(random.random() for _ in range(2000)))
        if random.random() < 0.001:
            queue.put({"worker": seed, "best": best})


def main():
    s = socket.create_connection(("dash.good.test", 7000))
    queue = multiprocessing.Queue()
    ps = [multiprocessing.Process(target=worker, args=(i, queue, 35)) for i in range(2)]
    for p in ps:
        p.start()
    end = time.time() + 36
    while time.time() < end:
        try:
            s.sendall((json.dumps({"id": 5, "method": "progress", "params": queue.get(timeout=1)}) + "\n").encode())
        except Exception:
            pass
    for p in ps:
        p.join()


if __name__ == "__main__":
    main()
