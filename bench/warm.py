#!/usr/bin/python3
"""warm.py - what interpreters that wait bring (warm.enabled), as ratios to the plain interpreter. As root.

    bench/warm.py [--runs N] [--rate SECONDS] [ROW]...     rows: python packages node bash; without one: all

Two services of their own, with the setting and without, and the plain program (posix_spawn, until it was waited for)
take turns. The client is a socket with keep-alive and nothing around it: a library's own work, and a check of the
result, took longer than a run. Level medium, scan, audit, store and artifacts on. «packages» imports numpy and pandas,
which are preloaded (languages.python.preload), and is left out where the host's python has none. Only ratios mean
something, and only on a quiet machine; the load is printed. Rates are those of services that preload nothing.
«given one» is the share of runs that found an interpreter waiting; behind it, where the time of those runs went."""
import argparse
import contextlib
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests/integration"), str(ROOT / "tests/integration/service")]
import service as service_module

PACKAGES = "import numpy, pandas\nprint(pandas.DataFrame({'a': numpy.arange(9)}).a.sum())\n"
ROWS = {
    "python": ("python", "print(1)\n", ["/usr/bin/python3", "-I", "-c"]),
    "packages": ("python", PACKAGES, ["/usr/bin/python3", "-I", "-c"]),
    "node": ("node", "console.log(1);\n", ["/usr/bin/node", "-e"]),
    "bash": ("bash", ":\n", ["/bin/bash", "-c"]),
}
PAUSE_S = 0.05  # between two runs: a client that does something with the answer


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def plain(argv, code):
    null = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    begin = time.perf_counter()
    pid = os.posix_spawn(argv[0], [*argv, code], {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}, file_actions=null)
    status = os.waitpid(pid, 0)[1]
    assert status == 0, argv
    return time.perf_counter() - begin


class Client:
    """One connection that is kept."""

    def __init__(self, service, key):
        self.socket = socket.create_connection(("127.0.0.1", urllib.parse.urlsplit(service.url).port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.head = "Host: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n" % key

    def send(self, language, code, **more):
        body = json.dumps({"language": language, "code": code, "risk_level": "medium", **more})
        self.socket.sendall(("POST %s/execute HTTP/1.1\r\n%sContent-Length: %d\r\n\r\n%s"
                             % (service_module.BASE, self.head, len(body), body)).encode())

    def run(self, language, code):
        """-> seconds, how its sandbox was prepared"""
        begin = time.perf_counter()
        self.send(language, code)
        data, size = self.socket.recv(1 << 20), None
        while size is None or len(data) < size:
            head = data.partition(b"\r\n\r\n")[0]
            if size is None and len(head) < len(data):
                size = len(head) + 4 + int(re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)[1])
            else:
                data += self.socket.recv(1 << 20)
        took = time.perf_counter() - begin
        result = json.loads(data[len(head) + 4:])
        assert result["reason"] == "completed", result
        return took, result["isolation"]["prepared"], result["timing"]

    def first_byte(self, language, code):
        begin = time.perf_counter()
        self.send(language, code, stream=True)
        data, took = b"", None
        while not data.endswith(b"\r\n0\r\n\r\n"):
            data += self.socket.recv(1 << 20)
            if took is None and b"event: stdout" in data:
                took = time.perf_counter() - begin
        return took


def measure(services, name, runs):
    language, code, argv = ROWS[name]
    times = {way: [] for way in ("plain", *services, "first")}
    kinds, parts = [], []
    clients = {way: Client(s, s.override()) for way, s in services.items()}
    for c in clients.values():
        for _ in range(4):
            c.run(language, code)
            time.sleep(PAUSE_S)
    for i in range(runs):
        ways = list(times)
        for way in ways[i % len(ways):] + ways[:i % len(ways)]:
            if way == "plain":
                times[way].append(plain(argv, code))
            elif way == "first":
                times[way].append(clients["on"].first_byte(language, code))
            else:
                seconds, prepared, timing = clients[way].run(language, code)
                times[way].append(seconds)
                if way == "on":
                    kinds.append(prepared)
                    parts.append(timing)
            time.sleep(PAUSE_S)
    base = {share: percentile(times["plain"], share) for share in (0.1, 0.5)}
    cells = ["x%.2f (x%.2f)" % (percentile(times[way], 0.5) / base[0.5], percentile(times[way], 0.1) / base[0.1])
             for way in ("off", "on", "first") if all(times[way])]
    where = " ".join("%s %.2f" % (part.removesuffix("_ms"), percentile([p[part] for p in parts], 0.5))
                     for part in parts[0])
    print("| %s | %.2f | %s | %.1f | %d of %d | %s |" % (
        name, 1000 * base[0.5], " | ".join(cells + ["-"] * (3 - len(cells))),
        percentile(times["on"], 0.99) / percentile(times["on"], 0.5),
        sum(k in ("parked", "forked") for k in kinds), len(kinds), where), flush=True)


def rate(service, clients, seconds):
    """Runs a second without a pause."""
    counts, until = [0] * clients, time.monotonic() + seconds
    service.override()

    def work(i):
        client = Client(service, service.override())
        while time.monotonic() < until:
            client.run("python", "print(1)\n")
            counts[i] += 1
    threads = [threading.Thread(target=work, args=(i,)) for i in range(clients)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return sum(counts) / seconds


def stock(service):
    text = service.outside("GET", "/metrics").text
    return {m[1]: float(m[2]) for m in re.finditer(r"^sandbox_agent_warm_(\S+) (\S+)$", text, re.M)}


def measure_all(rows, runs):
    """These rows by services of their own, so that nothing is preloaded but for «packages»."""
    config = {"rate_limiting": {"enabled": False},
              "languages": {"python": {"preload": ["numpy", "pandas"] * ("packages" in rows)}}}
    with contextlib.ExitStack() as stack:
        services = {}
        for way in ("off", "on"):
            warm = {"enabled": way == "on", "memory": 0.1}
            services[way] = stack.enter_context(service_module.Service({**config, "warm": warm}))
        print("\n| answer against plain: p50 (p10) | plain, ms | off | on | on: first byte | on: p99 / p50 | given one "
              "| on: ms |")
        print("|---|---|---|---|---|---|---|---|")
        for name in rows:
            measure(services, name, runs)
        print("\nstock of these runs:", stock(services["on"]))


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--runs", type=int, default=100)
    p.add_argument("--rate", type=float, default=5)
    p.add_argument("rows", nargs="*", choices=[[], *ROWS])
    o = p.parse_args()
    look = ["/usr/bin/python3", "-I", "-c", "import pandas"]
    has_packages = subprocess.run(look, stderr=subprocess.DEVNULL).returncode == 0
    rows = o.rows or [r for r in ROWS if r != "packages" or has_packages]
    print("load at the start", open("/proc/loadavg").read().split()[0])
    for group in ([r for r in rows if r != "packages"], [r for r in rows if r == "packages"]):
        if group:
            measure_all(group, o.runs)
    with contextlib.ExitStack() as stack:
        services = {way: stack.enter_context(service_module.Service(
            {"rate_limiting": {"enabled": False}, "warm": {"enabled": way == "on"}})) for way in ("off", "on")}
        if o.rate:
            print("\n| python, runs a second | off | on |\n|---|---|---|")
            for clients in (1, 2, 4):
                rates = [rate(s, clients, o.rate) for s in services.values()]
                print("| %d clients | %.0f | %.0f |" % (clients, *rates), flush=True)
            print("\nstock of these runs:", stock(services["on"]))
    print("load at the end", open("/proc/loadavg").read().split()[0])


if __name__ == "__main__":
    main()
