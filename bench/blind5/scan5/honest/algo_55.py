class Perceptron:
    def __init__(self, n, lr=.1): self.w, self.lr = [0.0] * (n + 1), lr
    def predict(self, x): return int(sum(w * v for w, v in zip(self.w, (1, *x))) > 0)
    def fit(self, X, y, epochs=20):
        for _ in range(epochs):
            for x, t in zip(X, y):
                e = t - self.predict(x); self.w = [w + self.lr * e * v for w, v in zip(self.w, (1, *x))]
p = Perceptron(2); p.fit([(0, 0), (0, 1), (1, 0), (1, 1)], [0, 0, 0, 1]); print(p.w)
