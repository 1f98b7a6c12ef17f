#!/usr/bin/python3
"""undo.py - a checkpoint of a context and going back to it, with 50 MB of state. As root.

    bench/undo.py [--runs N]

A service of its own; one context at low whose variables take 50 MiB, and a workspace of 20 files with 2 MiB in all, of
which each run changes one. In turns, over HTTP with keep-alive: a cell `1+1`, a checkpoint, an undo, and what one
os.fork() of a process with as much memory costs on this machine. Only ratios mean something, and only on a quiet
machine; the load is printed."""
import argparse
import os
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests/integration"), str(ROOT / "tests/integration/service")]
import service as service_module

STATE = "x = b'a' * (50 << 20)\nimport os\nfor i in range(20): open('f%d' % i, 'wb').write(os.urandom(100 << 10))"


def fork_s():
    begin = time.monotonic()
    pid = os.fork()
    if not pid:
        os._exit(0)
    seconds = time.monotonic() - begin
    os.waitpid(pid, 0)
    return seconds


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--runs", type=int, default=50)
    o = p.parse_args()
    state = b"a" * (50 << 20)
    times = {"cell": [], "checkpoint": [], "undo": [], "fork": []}
    print("load at the start", open("/proc/loadavg").read().split()[0])
    with service_module.Service({"rate_limiting": {"enabled": False}}) as s, s.connection() as connection:
        def ask(path, **body):
            begin = time.monotonic()
            answer = s.request("POST", path, key=key, session=connection, json=body)
            assert answer.status_code // 100 == 2, answer.text
            return time.monotonic() - begin, answer.json()
        key = s.override()
        at = "/sessions/" + ask("/sessions", risk_level="low", agent_id="undoes")[1]["session_id"] + "/contexts"
        at += "/" + ask(at, language="python")[1]["context_id"]
        ask(at + "/execute", code=STATE)
        for i in range(o.runs):
            ask(at + "/execute", code="n = open('f%d', 'wb').write(os.urandom(100 << 10))" % (i % 20))
            for name, path, body in (("cell", "/execute", {"code": "1+1"}), ("checkpoint", "/checkpoints", {}),
                                     ("undo", "/undo", {})):
                times[name].append(ask(at + path, **body)[0])
            times["fork"].append(fork_s())
    assert state
    for each in times.values():
        each.sort()
    print("\n| 50 MiB of state, %d runs | ms: median (p10..p90) | to a cell | to a fork |\n|---|---|---|---|" % o.runs)
    for name, each in times.items():
        at = [each[int(len(each) * share)] for share in (0.1, 0.5, 0.9)]
        print("| %s | %.1f (%.1f..%.1f) | x%.1f | x%.1f |" % (
            name, at[1] * 1000, at[0] * 1000, at[2] * 1000, at[1] / times["cell"][len(each) // 2],
            at[1] / times["fork"][len(each) // 2]))


if __name__ == "__main__":
    main()
