import json
import sys
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

t, ms = [], []
with open(sys.argv[1]) as fh:
    for line in fh:
        try:
            r = json.loads(line)
        except json.JSONDecodeError:
            continue
        t.append(r["ts"] // 60)
        ms.append(r["ms"])
t, ms = np.array(t), np.array(ms)
mins = np.unique(t)
fig, ax = plt.subplots(figsize=(10, 4))
for q in (50, 95, 99):
    ax.plot(mins - mins[0], [np.percentile(ms[t == m], q) for m in mins], label=f"p{q}")
ax.set(xlabel="minute", ylabel="ms", yscale="log")
ax.legend()
fig.tight_layout()
fig.savefig("latency.png", dpi=120)
