#!/usr/bin/python3
"""warm.py - what interpreters that wait bring (warm.enabled), as ratios to the plain interpreter. As root.

    bench/warm.py [--runs N] [--rate SECONDS] [ROW]...     rows: python packages node bash; without one: all

Two services of their own, with the setting and without, and the plain program take turns, all through one client
over HTTP with keep-alive, level medium, scan, audit, store and artifacts on. «packages» imports numpy and pandas,
which are preloaded (languages.python.preload), and is left out where the host's python has none. Only ratios mean
something, and only on a quiet machine; the load is printed. Rates are those of services that preload nothing.
«given one» is the share of runs that found an interpreter waiting."""
import argparse
import contextlib
import pathlib
import re
import subprocess
import sys
import threading
import time

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
    begin = time.monotonic()
    subprocess.run([*argv, code], stdout=subprocess.PIPE, check=True)
    return time.monotonic() - begin


def through(service, language, code):
    """-> seconds, how its sandbox was prepared"""
    begin = time.monotonic()
    result = service.run(code, language=language, risk_level="medium", key=service.override())
    assert result["reason"] == "completed", result
    return time.monotonic() - begin, result["isolation"]["prepared"]


def first_byte(service, language, code):
    begin = time.monotonic()
    for event in service.stream(code, language=language, risk_level="medium", key=service.override()):
        if event["type"] == "stdout":
            return time.monotonic() - begin
    return None


def measure(services, name, runs):
    language, code, argv = ROWS[name]
    times = {way: [] for way in ("plain", *services, "first")}
    kinds = []
    for s in services.values():
        for _ in range(4):
            through(s, language, code)
            time.sleep(PAUSE_S)
    for i in range(runs):
        ways = list(times)
        for way in ways[i % len(ways):] + ways[:i % len(ways)]:
            if way == "plain":
                times[way].append(plain(argv, code))
            elif way == "first":
                times[way].append(first_byte(services["on"], language, code))
            else:
                seconds, prepared = through(services[way], language, code)
                times[way].append(seconds)
                kinds += [prepared] * (way == "on")
            time.sleep(PAUSE_S)
    base = {share: percentile(times["plain"], share) for share in (0.1, 0.5)}
    cells = ["x%.2f (x%.2f)" % (percentile(times[way], 0.5) / base[0.5], percentile(times[way], 0.1) / base[0.1])
             for way in ("off", "on", "first") if all(times[way])]
    print("| %s | %s | %.1f | %d of %d |" % (name, " | ".join(cells + ["-"] * (3 - len(cells))),
                                             percentile(times["on"], 0.99) / percentile(times["on"], 0.5),
                                             sum(k in ("parked", "forked") for k in kinds), len(kinds)), flush=True)


def rate(service, clients, seconds):
    """Runs a second without a pause."""
    counts, until = [0] * clients, time.monotonic() + seconds
    service.override()

    def work(i):
        with service.connection() as session:
            while time.monotonic() < until:
                service.run("print(1)\n", risk_level="medium", key=service.override(), session=session)
                counts[i] += 1
    threads = [threading.Thread(target=work, args=(i,)) for i in range(clients)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return sum(counts) / seconds


def stock(service):
    text = service.outside("GET", "/metrics").text
    return {m[1]: float(m[2]) for m in re.finditer(r"^sandbox_agent_stock_(\w+)_total (\S+)$", text, re.M)}


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--runs", type=int, default=100)
    p.add_argument("--rate", type=float, default=5)
    p.add_argument("rows", nargs="*", choices=[[], *ROWS])
    o = p.parse_args()
    look = ["/usr/bin/python3", "-I", "-c", "import pandas"]
    has_packages = subprocess.run(look, stderr=subprocess.DEVNULL).returncode == 0
    rows = o.rows or [r for r in ROWS if r != "packages" or has_packages]
    config = {"rate_limiting": {"enabled": False},
              "languages": {"python": {"preload": ["numpy", "pandas"] * has_packages}}}
    print("load at the start", open("/proc/loadavg").read().split()[0])
    with contextlib.ExitStack() as stack:
        services = {}
        for way in ("off", "on"):
            warm = {"enabled": way == "on", "memory": 0.1}
            services[way] = stack.enter_context(service_module.Service({**config, "warm": warm}))
        print("\n| answer against plain: p50 (p10) | off | on | on: first byte | on: p99 / p50 | given one |")
        print("|---|---|---|---|---|---|")
        for name in rows:
            measure(services, name, o.runs)
        print("\nstock of all these runs:", stock(services["on"]))
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
