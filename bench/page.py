#!/usr/bin/env python3
"""What the operator's page costs, and what a long audit costs it. As root, after make; npm ci in tests/ui for the tab.

    bench/page.py cost             runs with the page's requests beside them and without, in turns, in one service
    bench/page.py lines LOG        a service over the audit in LOG, which `build/bench/audit make LOG 10000000` made:
                                   lists and searches by HTTP, the memory of sandboxd, and a tab in chromium
"""
import json
import os
import pathlib
import pwd
import shutil
import statistics
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests/integration"), str(ROOT / "tests/integration/service")]
import load  # noqa: E402
from service import BASE, USER, Service  # noqa: E402

TURNS, RUNS = 24, 10  # of the comparison: closed, open, open, closed; runs in each
NOW = ("/metrics", "/readyz", BASE + "/executions?state=running&limit=500", BASE + "/executions?state=queued&limit=500",
       BASE + "/audit?ends=true&last=200")  # every 3 s: ui/now.tsx
NEAR = {"since": "2023-11-20T16:06:40Z", "until": "2023-11-20T18:06:40Z"}  # of the five-millionth line
LIST = (BASE + "/audit?ends=true&last=200",)  # every 2 s: ui/runs.tsx


def ask(service, paths, every, is_open, is_over):
    session = service.connection()
    while not is_over.is_set():
        if is_open.wait(0.05):
            for path in paths:
                service.outside("GET", path, key=service.key, session=session).raise_for_status()
            is_over.wait(every)


def cpu_ms(pid):
    """Of all its threads, those that have ended included, to the nanosecond: clock_getcpuclockid(3)."""
    return time.clock_gettime(~pid << 3 | 2) * 1000


def interval(values):
    """Median, and from where to where it lies with 95 %: by the order of the values, whatever their distribution."""
    s, n = sorted(values), len(values)
    off = int(1.96 * n ** 0.5 / 2)
    return statistics.median(s), s[max(0, n // 2 - off - 1)], s[min(n - 1, n // 2 + off)]


def block(service, daemon):
    """-> ms a run, of the wall (the median run) and of sandboxd's CPU"""
    before, times = cpu_ms(daemon), []
    for _ in range(RUNS):
        begun = time.perf_counter()
        service.run("true", "bash", agent_id="bench")
        times.append((time.perf_counter() - begun) * 1000)
    return statistics.median(times), (cpu_ms(daemon) - before) / RUNS


def cost():
    """Blocks in turns (ABBA), so that what else the machine does falls on both; differences are of one turn."""
    with Service({**load.UNLIMITED, "sandbox": {"default_risk_level": "medium"}}) as s:
        is_open, is_over, closed, more = threading.Event(), threading.Event(), ([], []), ([], [])
        tabs = [threading.Thread(target=ask, args=(s, *tab, is_open, is_over)) for tab in ((NOW, 3), (LIST, 2))]
        for tab in tabs:
            tab.start()
        daemon = max(s.pids("sandboxd"))
        for turn in range(TURNS + 1):  # the first warms up
            took = []
            for with_page in (False, True, True, False):
                (is_open.set if with_page else is_open.clear)()
                took.append(block(s, daemon))
            for i in range(2 if turn else 0):
                closed[i].append((took[0][i] + took[3][i]) / 2)
                more[i].append((took[1][i] + took[2][i]) / 2 - closed[i][-1])
        is_over.set()
        for tab in tabs:
            tab.join()
        print("| a run, ms | page closed | two tabs open: median more | 95 % | |\n|---|---|---|---|---|")
        for i, name in enumerate(("wall", "sandboxd's CPU, the page's answers included")):
            base, (middle, low, high) = statistics.median(closed[i]), interval(more[i])
            print("| %s | %.2f | %+.2f | %+.2f to %+.2f | %+.1f %% |" % (
                name, base, middle, low, high, 100 * middle / base))


def memory(pid):
    text = pathlib.Path("/proc/%d/status" % pid).read_text()
    rows = [line.split() for line in text.splitlines() if line[:3] in ("VmH", "Rss")]
    return {row[0].rstrip(":"): int(row[1]) // 1024 for row in rows}


def lines(log):
    owner = pwd.getpwnam(USER)
    for path in (pathlib.Path(log), *pathlib.Path(log).iterdir()):
        os.chown(path, owner.pw_uid, owner.pw_gid)
    with Service({**load.UNLIMITED, "sandbox": {"paths": {"log_dir": log}},
                  "security": {"audit_verify_interval": "0"}}, patience=600) as s:
        daemon = max(s.pids("sandboxd"))
        print("sandboxd, started: MiB %s" % memory(daemon))
        newest = s.request("GET", "/audit", params={"last": 1}).json()["events"][0]["event"]["sequence"]
        print("| %d lines | answer, KiB | first, ms | median of 5, ms |\n|---|---|---|---|" % newest)
        for name, q in (("first list: the last 200 ends", {"ends": "true"}),
                        ("from the middle back", {"ends": "true", "before": newest // 2}),
                        ("one agent of 1000, the last 200", {"ends": "true", "agent": "agent-500"}),
                        ("the same, from the middle back",
                         {"ends": "true", "agent": "agent-500", "before": newest // 2}),
                        ("a rule, the last 200", {"ends": "true", "rule": "scan.reverse-shell"}),
                        ("an agent that is not there", {"ends": "true", "agent": "nobody"}),
                        ("one run by its id, 20 lines", {"execution": "exec-4c4b40", "last": 20}),
                        ("the same, near its time", {"execution": "exec-4c4b40", "last": 20, **NEAR})):
            times, size = [], 0
            for _ in range(5):
                begun = time.perf_counter()
                answer = s.request("GET", "/audit", params={"last": 200, **q})
                times.append((time.perf_counter() - begun) * 1000)
                size = len(answer.content) // 1024
            print("| %s%s | %d | %.1f | %.1f |" % (name, "" if answer.ok else ": %d" % answer.status_code, size,
                                                 times[0], statistics.median(times)))
        print("sandboxd, after that: MiB %s" % memory(daemon))
        tab(s)
        print("sandboxd, after the tab: MiB %s" % memory(daemon))


def tab(s):
    chromium = shutil.which("chromium")
    if not chromium or not (ROOT / "tests/ui/node_modules/playwright-core").exists():
        print("no tab: chromium or tests/ui/node_modules is missing")
        return
    given = {"url": s.url, "key": s.key, "chromium": chromium}
    done = subprocess.run(["node", ROOT / "tests/ui/scroll.mjs"], input=json.dumps(given), capture_output=True,
                          text=True, timeout=600, cwd=ROOT / "tests/ui")
    print(done.stdout + done.stderr[-2000:])


if __name__ == "__main__":  # bench/evidence.py takes parts of it
    if sys.argv[1:] == ["cost"]:
        cost()
    elif len(sys.argv) == 3 and sys.argv[1] == "lines":
        lines(sys.argv[2])
    else:
        sys.exit(__doc__)
