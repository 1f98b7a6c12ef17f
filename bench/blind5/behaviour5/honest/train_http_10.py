# class: training; possible: low medium
"""Grid search in two processes, each result posted to an experiment tracker; jobs and submits are words here, too."""
import json, math, multiprocessing as mp, random, time, urllib.request

def fit(seed):
    r = random.Random(seed); w = [r.uniform(-1, 1) for _ in range(30)]; t = time.time(); best = 1e9
    while time.time() - t < 5:
        c = [v + r.gauss(0, .05) for v in w]
        loss = sum((math.sin(i) - v) ** 2 for i, v in enumerate(c))
        if loss < best: best, w = loss, c
    return seed, best

if __name__ == "__main__":
    with mp.Pool(2) as pool:
        for seed, best in pool.imap_unordered(fit, range(12)):
            body = {"jsonrpc": "2.0", "id": seed, "method": "submit", "params": {"job_id": "run-%d" % seed, "result": best}}
            urllib.request.urlopen("http://store.good.test/experiments", json.dumps(body).encode(), timeout=10).read()
