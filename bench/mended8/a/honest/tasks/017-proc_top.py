import argparse
import psutil


def rows():
    for p in psutil.process_iter(["pid", "name", "username", "memory_info"]):
        try:
            yield p.info["memory_info"].rss, p.info["pid"], p.info["username"], p.info["name"], p.num_fds()
        except (psutil.AccessDenied, psutil.NoSuchProcess, AttributeError):
            continue


ap = argparse.ArgumentParser()
ap.add_argument("-n", type=int, default=15)
ap.add_argument("--user")
a = ap.parse_args()
print(f"{'RSS MB':>8} {'PID':>7} {'FDS':>5} USER         NAME")
data = sorted((r for r in rows() if not a.user or r[2] == a.user), reverse=True)
for rss, pid, user, name, fds in data[: a.n]:
    print(f"{rss / 2**20:8.1f} {pid:7d} {fds:5d} {user:12.12} {name}")
vm = psutil.virtual_memory()
print(f"used {vm.percent}% of {vm.total / 2**30:.1f} GiB")
