#!/usr/bin/env python3
"""What the evidence costs a run with no browser open. As root, after make and bench/build.sh.

    bench/evidence.py [all|receipts|activity|control] [PAIRS] [bash|python]

Two services take turns, block by block in the order ABBA, then BAAB, each block two runs one after the other. A is as
shipped. B has less: `all` (the default) has no receipts (security.receipts), no Merkle tree, no index of runs' ids, no
meter and no count of attempts (build/bench/without: the same objects, these functions replaced); `receipts` lacks only
those; `activity` lacks the summary of what a run did, which is older (logging.audit_syscalls); `control` is A once
more, and says what the method sees where there is nothing. State and logs lie in /dev/shm: what a file system needs
for a new file differs by 0.2 ms from directory to directory.

Two services of one build differ by 50 us a run for as long as they live, so that no number of turns helps: after 14
turns another pair is started, every second one the other way round. A pair's number is the median of its turns; what
is printed is the median of the pairs (20) and where it lies with 95 %.

*Whole run*: CPU time of sandboxd, the launcher, and the sandboxes that it has waited for. *wall*: the client's median.
"""
import contextlib
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

RUNS, TURNS, AGENT = 2, 14, "bench"
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


class Seen:
    """Of one kind of run, a number a pair: without, and how much more with it, by wall and by CPU; others' CPU."""

    def __init__(self):
        self.base, self.more, self.others = ([], []), ([], []), []

    def take(self, kind, a, b):
        base, more, before = ([], []), ([], []), 0
        for turn in range(TURNS + 1):  # the first warms up
            outer, inner = ((a, b), (b, a))[turn % 2]
            took = [block(s, kind) for s in (outer, inner, inner, outer)]
            if not turn:
                before = others_ms(a)
                continue
            for i in range(2):
                means = (took[0][i] + took[3][i]) / 2, (took[1][i] + took[2][i]) / 2
                with_it, without = means if outer is a else means[::-1]
                base[i].append(without)
                more[i].append(with_it - without)
        self.others.append((others_ms(a) - before) / (2 * RUNS * TURNS))
        for i in range(2):
            self.base[i].append(statistics.median(base[i]))
            self.more[i].append(statistics.median(more[i]))

    def tell(self, kind):
        wall, own = (statistics.median(b) for b in self.base)
        for name, i, of in (("wall", 0, wall), ("sandboxd's CPU", 1, own),
                            ("sandboxd's CPU, of the whole run's", 1, own + statistics.median(self.others))):
            middle, low, high = interval(self.more[i])
            print("| %s | %s | %.2f ms | %+.0f us (%+.0f to %+.0f) | %+.1f %% (%+.1f to %+.1f) |" % (
                kind, name, of, 1000 * middle, 1000 * low, 1000 * high,
                *(100 * x / of for x in (middle, low, high))), flush=True)


def take_pair(arm, is_b_first, seen):
    services = []
    with contextlib.ExitStack() as both:
        for which in (arm, "control") if is_b_first else ("control", arm):
            services.append(start(which))
            both.callback(services[-1].close, check=False)
        b, a = services if is_b_first else services[::-1]
        for kind, of_kind in seen.items():
            of_kind.take(kind, a, b)


def load_now():
    return pathlib.Path("/proc/loadavg").read_text().split()[0]


def main():
    words = sys.argv[1:] or ["all"]
    arm, pairs, only = words[0], int(words[1]) if len(words) > 1 else 20, words[2] if len(words) > 2 else ""
    if arm not in ("all", "receipts", "activity", "control") or (arm == "all" and not WITHOUT.exists()):
        sys.exit(__doc__)
    tempfile.tempdir = "/dev/shm"
    seen, begun = {kind: Seen() for kind in KINDS if kind.startswith(only)}, load_now()
    for pair in range(pairs):
        take_pair(arm, pair % 2, seen)
    print("%s, %d pairs, load %s to %s\n\n| run | what | without | more with it | |\n|---|---|---|---|---|" % (
        arm, pairs, begun, load_now()))
    for kind, of_kind in seen.items():
        of_kind.tell(kind)


if __name__ == "__main__":
    main()
