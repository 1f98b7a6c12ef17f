#!/usr/bin/python3
"""refused.py - what refused system calls cost us, beside what the program is charged. As root, with cgroup v1 or v2.

    bench/refused.py [PREFIX]      build, or another build directory

A program at low, without kill switches, asks for a new user namespace as fast as it can for three seconds: with one
thread, and with 40. All that the run used is counted by a control group of its own; the program's part is `cpu_ms` of
the result, and the rest is ours: client, launcher, broker."""
import json
import os
import subprocess
import sys
import tempfile
import time

PROGRAM = """import ctypes, threading, time
libc = ctypes.CDLL(None)
if %(brokered)d:
    import socket
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(("127.0.0.1", 9))
begin, counts = time.monotonic(), []
def ask():
    n = 0
    while time.monotonic() - begin < 3:
        for _ in range(20): libc.syscall(272, 0x10000000)
        n += 20
    counts.append(n)
threads = [threading.Thread(target=ask) for _ in range(%(threads)d)]
for t in threads: t.start()
for t in threads: t.join()
print(sum(counts))
"""
PROFILE = "name: refused\nrisk_level: low\nkill_switches: []\nexecution: {disable_fork_bomb: false}\n"


def group():
    """A new control group below ours, and the file that counts it."""
    lines = dict(line.split(":", 2)[1:] for line in open("/proc/self/cgroup").read().split("\n") if line)
    v2 = os.path.exists("/sys/fs/cgroup/cgroup.controllers")
    name = next((names for names in lines if "cpuacct" in names.split(",")), "")
    top = "/sys/fs/cgroup" + ("" if v2 else "/" + (name or "cpuacct")) + lines.get("" if v2 else name, "/")
    path = os.path.join(top, "sandbox-bench.%d" % os.getpid())
    os.mkdir(path)
    return path, v2


def join(path):
    with open(path + "/cgroup.procs", "w") as f:
        f.write("0")


def used_ms(path, v2):
    if v2:
        return int(dict(line.split() for line in open(path + "/cpu.stat"))["usage_usec"]) / 1e3
    return int(open(path + "/cpuacct.usage").read()) / 1e6


def remove(path):
    """Its last process may be reaped and not yet counted out."""
    for _ in range(200):
        try:
            return os.rmdir(path)
        except OSError:
            time.sleep(0.05)
    os.rmdir(path)


def main():
    prefix = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "../build"))
    print("| threads | answers | refused a second | program ms | ours ms | ours/program |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as home:
        config = "sandbox: {paths: {log_dir: %s/log, state_dir: %s/state}}\n" % (home, home)
        for name, text in (("profile.yaml", PROFILE), ("config.yaml", config)):
            with open(os.path.join(home, name), "w") as f:
                f.write(text)
        for brokered in (0, 1):
            for threads in (1, 40):
                with open(home + "/code.py", "w") as f:
                    f.write(PROGRAM % {"threads": threads, "brokered": brokered})
                path, v2 = group()
                try:
                    done = subprocess.run(
                        [prefix + "/bin/sandbox-agent", "--config", home + "/config.yaml", "--json",
                         "--profile", home + "/profile.yaml", "--language", "python", "--code", home + "/code.py"],
                        capture_output=True, text=True, preexec_fn=lambda: join(path),
                        env={**os.environ, "XDG_CACHE_HOME": home, "XDG_STATE_HOME": home})
                    r = json.loads(done.stdout)
                    ours = used_ms(path, v2) - r["cpu_ms"]
                    print("| %d | %s | %.0f | %.0f | %.0f | %.2f |"
                          % (threads, "broker" if brokered else "launcher", int(r["stdout"]) / 3, r["cpu_ms"], ours,
                             ours / r["cpu_ms"]), flush=True)
                finally:
                    remove(path)


if __name__ == "__main__":
    main()
