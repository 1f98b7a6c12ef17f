import json
from collections import defaultdict
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt

series = defaultdict(list)
with open("metrics.jsonl") as f:
    for line in f:
        d = json.loads(line)
        for k in ("loss", "val_loss", "lr"):
            if k in d:
                series[k].append((d["step"], d[k]))
fig, axes = plt.subplots(len(series), 1, figsize=(7, 3 * len(series)), squeeze=False)
for ax, (k, v) in zip(axes[:, 0], series.items()):
    ax.plot(*zip(*v))
    ax.set_title(k)
fig.tight_layout()
fig.savefig("metrics.png", dpi=120)
