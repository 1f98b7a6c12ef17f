# class: training; possible: low medium; style: gradient descent for half a minute, dashboard by POST, two workers
import json
import math
import multiprocessing
import random
import time
import urllib.request


def report(step, loss):
    try:
        body = json.dumps({"run": "logit-9", "step": step, "loss": loss, "ts": time.time()}).encode()
        urllib.request.urlopen(urllib.request.Request("http://dash.good.test/api/metrics", body, {"Content-Type": "application/json"}), timeout=5).read()
    except OSError as e:
        print("dashboard:", e)


def gradient(args):
    rows, w = args
    g, loss = [0.0] * len(w), 0.0
    for x, y in rows:
        p = 1 / (1 + math.exp(-max(-30, min(30, sum(a * b for a, b in zip(w, x))))))
        loss -= math.log((p if y else 1 - p) + 1e-12)
        for i, xi in enumerate(x):
            g[i] += (p - y) * xi
    return g, loss


if __name__ == "__main__":
    random.seed(3)
    truth = [random.gauss(0, 1) for _ in range(16)]
    data = []
    for _ in range(6000):
        x = [random.gauss(0, 1) for _ in truth]
        data.append((x, int(sum(a * b for a, b in zip(truth, x)) > 0)))
    w, end, step = [0.0] * 16, time.time() + 35, 0
    with multiprocessing.Pool(2) as pool:
        while time.time() < end:
            parts = pool.map(gradient, [(data[:3000], w), (data[3000:], w)])
            w = [a - 0.5 * (g + h) / len(data) for a, g, h in zip(w, parts[0][0], parts[1][0])]
            if step % 20 == 0:
                report(step, (parts[0][1] + parts[1][1]) / len(data))
            step += 1
    print("steps", step, "loss", parts[0][1])
