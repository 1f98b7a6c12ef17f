#!/usr/bin/env python3
"""What the evidence costs a run with no browser open. As root, after make and bench/build.sh.

    bench/evidence.py [all|receipts|activity|control] [TURNS] [bash|python]

Two services take turns, block by block in the order ABBA, each block two runs one after the other. A is as shipped. B
has less: `all` (the default) has no receipts (security.receipts), no Merkle tree, no index of runs' ids, no meter and
no count of attempts (build/bench/without: the same objects, these functions replaced); `receipts` lacks only those;
`activity` lacks the summary of what a run did, which is older (logging.audit_syscalls); `control` is A once more, and
says what the method sees where there is nothing. State and logs lie in /dev/shm: what a file system needs for a new
file differs by 0.2 ms from directory to directory. A turn's difference is one number; what is printed is the median
of the turns and where it lies with 95 %, so that what else the machine does falls on both.

*Whole run*: CPU time of sandboxd, the launcher, and the sandboxes that it has waited for. *wall*: the client's median.
"""
import pathlib
import statistics
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "tests/integration"), str(ROOT / "tests/integration/service")]
import helpers  # noqa: E402
import load  # noqa: E402
import yaml  # noqa: E402
from page import cpu_ms, interval  # noqa: E402
from service import Service  # noqa: E402

RUNS, AGENT = 2, "bench"
KINDS = {"bash :": ("bash", ":"), "python print(1)": ("python", "print(1)")}
WITHOUT = ROOT / "build/bench/without/bin/sandboxd"


def start(arm):
    s = Service(start=False)
    profiles = s.directory("profiles")
    profile = helpers.shipped("medium")
    profile["rate_limits"] = {}
    profile["logging"]["audit_syscalls"] = arm != "activity"
    (profiles / "medium-risk.yaml").write_text(yaml.safe_dump(profile, sort_keys=False))
    config = {**load.UNLIMITED, "sandbox": {"default_risk_level": "medium", "paths": {"profiles_dir": str(profiles)}}}
    if arm in ("all", "receipts"):
        config["security"] = {"receipts": False}
    s.configure(config)
    if arm == "all":
        s.daemon = WITHOUT
    return s.start()


def quiet(s, daemon):
    """Until its janitor has done what comes after the answers: what it uses then is part of the block."""
    last, since = cpu_ms(daemon), time.monotonic()
    while time.monotonic() - since < 0.01:
        time.sleep(0.002)
        now = cpu_ms(daemon)
        last, since = (now, time.monotonic()) if now - last > 0.05 else (last, since)


def block(s, kind):
    """-> ms a run: the client's median, sandboxd's CPU"""
    daemon, (language, code), times = daemon_of(s), KINDS[kind], []
    before = cpu_ms(daemon)
    for _ in range(RUNS):
        begun = time.perf_counter()
        s.run(code, language, agent_id=AGENT)
        times.append((time.perf_counter() - begun) * 1000)
    quiet(s, daemon)
    return statistics.median(times), (cpu_ms(daemon) - before) / RUNS


def children_ms(pid):
    """Of what it has waited for, to 10 ms: for sums over many runs."""
    fields = pathlib.Path("/proc/%d/stat" % pid).read_text().rpartition(")")[2].split()
    return (int(fields[13]) + int(fields[14])) * 10


def daemon_of(s):
    return next(p for p in s.pids("sandboxd") if p != s.process.pid)  # as root that is a small parent of both


def others_ms(s):
    """Of the launcher, its keepers and inits, and of what they have waited for, the payload among it."""
    while True:
        try:
            return sum(cpu_ms(p) + children_ms(p) for p in s.pids("sandbox-launcher"))
        except OSError:  # one has ended since it was listed
            pass


def measure(kind, a, b, turns):
    base, more, others, count = ([], []), ([], []), 0, 0
    for turn in range(turns + 1):  # the first warms up
        before = others_ms(a)
        took = [block(s, kind) for s in (a, b, b, a)]
        if not turn:
            continue
        others, count = others + others_ms(a) - before, count + 2 * RUNS
        for i in range(2):
            base[i].append((took[1][i] + took[2][i]) / 2)
            more[i].append((took[0][i] + took[3][i]) / 2 - base[i][-1])
    whole = statistics.median(base[1]) + others / count
    for name, i, of in (("wall", 0, statistics.median(base[0])), ("sandboxd's CPU", 1, statistics.median(base[1])),
                        ("sandboxd's CPU, of the whole run's", 1, whole)):
        middle, low, high = interval(more[i])
        print("| %s | %s | %.2f ms | %+.0f us (%+.0f to %+.0f) | %+.1f %% (%+.1f to %+.1f) |" % (
            kind, name, of, 1000 * middle, 1000 * low, 1000 * high, *(100 * x / of for x in (middle, low, high))),
            flush=True)


def main():
    words = sys.argv[1:] or ["all"]
    arm, turns = words[0], int(words[1]) if len(words) > 1 else 40
    if arm not in ("all", "receipts", "activity", "control") or (arm == "all" and not WITHOUT.exists()):
        sys.exit(__doc__)
    tempfile.tempdir = "/dev/shm"
    a, b = start("control"), start(arm)
    try:
        print("| run | what | without | more with it | |\n|---|---|---|---|---|")
        for kind in [k for k in KINDS if k.startswith(tuple(words[2:]) or "")]:
            measure(kind, a, b, turns)
        print("load %s" % pathlib.Path("/proc/loadavg").read_text().strip())
    finally:
        a.close(check=False)
        b.close(check=False)


if __name__ == "__main__":
    main()
