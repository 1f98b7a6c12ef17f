# class: training; possible: low medium; style: gradient descent with a dashboard
import json
import math
import random
import time
import urllib.request

random.seed(3)
data = [(x / 100, math.sin(x / 100)) for x in range(600)]
w = [random.uniform(-1, 1) for _ in range(12)]
end = time.time() + 40
step, last = 0, 0
while time.time() < end:
    step += 1
    loss = 0
    for x, y in data:
        basis = [math.tanh((i - 6) * x / 3) for i in range(12)]
        error = sum(a * b for a, b in zip(w, basis)) - y
        loss += error * error
        for i in range(12):
            w[i] -= 0.001 * error * basis[i]
    if time.time() - last > 2:
        last = time.time()
        body = json.dumps({"id": 1, "run": "sine", "step": step, "loss": loss}).encode()
        urllib.request.urlopen("http://dash.good.test/api/metrics", body, timeout=5).read()
print(loss)
