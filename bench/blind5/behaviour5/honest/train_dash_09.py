# class: training; possible: low medium
import json, socket, time
import numpy as np
rng = np.random.default_rng(0)
X = rng.normal(size=(800, 40)); y = (X[:, :5].sum(1) > 0).astype(float)
W1, W2 = rng.normal(size=(40, 64)) * .1, rng.normal(size=64) * .1
dash = socket.create_connection(("dash.good.test", 7000))
t0, epoch, lr = time.time(), 0, .05
while time.time() - t0 < 40:
    for _ in range(20):
        h = np.tanh(X @ W1); p = 1 / (1 + np.exp(-h @ W2)); g = (p - y) / len(y)
        gW2 = h.T @ g; gW1 = X.T @ (np.outer(g, W2) * (1 - h ** 2))
        W1 -= lr * gW1; W2 -= lr * gW2
    epoch += 1
    if epoch % 10 == 0:
        loss = float(-(y * np.log(p + 1e-9) + (1 - y) * np.log(1 - p + 1e-9)).mean())
        dash.sendall((json.dumps({"id": epoch, "method": "log", "params": {"epoch": epoch, "loss": loss}}) + "\n").encode())
