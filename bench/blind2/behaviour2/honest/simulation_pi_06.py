# class: simulation; possible: low medium; style: pool of workers, results by POST
import json
import multiprocessing
import random
import time
import urllib.request


def throw(args):
    seed, n = args
    r = random.Random(seed)
    return sum(r.random() ** 2 + r.random() ** 2 < 1 for _ in range(n))


if __name__ == "__main__":
    inside = total = seed = 0
    end = time.time() + 35
    with multiprocessing.Pool(2) as pool:
        while time.time() < end:
            hits = pool.map(throw, [(seed + i, 100_000) for i in range(4)])
            seed += 4
            inside, total = inside + sum(hits), total + 400_000
            urllib.request.urlopen("http://dash.good.test/progress", json.dumps({"n": total, "pi": 4 * inside / total}).encode(), timeout=10).read()
    print(4 * inside / total)
