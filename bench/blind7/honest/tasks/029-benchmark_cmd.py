import argparse
import shlex
import statistics as st
import subprocess
import time


def measure(cmd, n, warm):
    for _ in range(warm):
        subprocess.run(cmd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    out = []
    for _ in range(n):
        t = time.perf_counter()
        subprocess.run(cmd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        out.append(time.perf_counter() - t)
    return out


ap = argparse.ArgumentParser()
ap.add_argument("commands", nargs="+")
ap.add_argument("-n", type=int, default=10)
ap.add_argument("-w", type=int, default=2)
a = ap.parse_args()
res = {c: measure(shlex.split(c), a.n, a.w) for c in a.commands}
best = min(res.values(), key=st.mean)
for c, t in res.items():
    print(f"{c}\n  mean {st.mean(t) * 1e3:8.2f} ms ± {st.stdev(t) * 1e3:.2f}   x{st.mean(t) / st.mean(best):.2f}")
