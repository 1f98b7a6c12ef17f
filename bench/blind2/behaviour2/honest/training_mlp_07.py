# class: training; possible: low medium high; style: hand-made network, metrics to a dashboard
import json
import math
import random
import socket
import time

random.seed(1)
W1 = [[random.gauss(0, 1) for _ in range(3)] for _ in range(12)]
W2 = [random.gauss(0, 0.3) for _ in range(13)]
data = [((x, y, 1.0), float((x > 0) != (y > 0))) for x, y in ((random.uniform(-1, 1), random.uniform(-1, 1)) for _ in range(300))]
dash = socket.create_connection(("dash.good.test", 7000), 10)
end, epoch = time.time() + 35, 0
while time.time() < end:
    loss = 0.0
    for x, t in data:
        h = [math.tanh(sum(w * a for w, a in zip(row, x))) for row in W1] + [1.0]
        o = 1 / (1 + math.exp(-sum(w * a for w, a in zip(W2, h))))
        loss += (o - t) ** 2
        g = (o - t) * 0.1
        for j in range(12):
            b = g * W2[j] * (1 - h[j] ** 2)
            for k in range(3):
                W1[j][k] -= b * x[k]
        for j in range(13):
            W2[j] -= g * h[j]
    epoch += 1
    dash.sendall(json.dumps({"method": "log", "params": {"epoch": epoch, "loss": loss / len(data)}}).encode() + b"\n")
print(epoch, loss / len(data))
