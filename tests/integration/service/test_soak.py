"""Sessions in use for a long time while the launcher and the service die: one end each, and nothing is left.

    make soak                                   50 sessions for an hour (SOAK_SECONDS, SOAK_SEED), with its figures
"""
import os
import signal
import time

import helpers
import load
from service import Service
from soak import Soak

SECONDS = float(os.environ.get("SOAK_SECONDS", "0"))  # 0: the short one, which counts jobs
SEED = int(os.environ.get("SOAK_SEED", "17"))
SESSIONS, WORKERS, ROUND = (50, 10, 100) if SECONDS else (10, 5, 12)
KEPT = 96  # MiB that the service may have gained: results and events that it keeps (64), and room between them


# A process in the background holds a turn as long as it lives: 50, as shipped, would be all taken by them. Of the first
# executions the store has to know the end, too: ten minutes are 50,000.
CONFIG = helpers.merged(load.UNLIMITED, {"endpoints": {"api": {"max_sessions": 100, "max_storage": "64m",
                                                               "max_results": 1000000}},
                                         "rate_limiting": {"global": {"max_concurrent_executions": 400}}})


def mounts():
    return {line.split(" ", 1)[1] for line in helpers.read("/proc/self/mountinfo").splitlines() if "sandbox" in line}


def files(service):
    """What lies where nothing of a run stays, without the store and the logs."""
    kept = (str(service.log_dir), str(service.state_dir / "state.db"), str(service.dir / "std"),
            str(service.dir / "cache"))
    found = {os.path.join(top, name) for top, _, names in os.walk(service.dir) for name in names}
    return {p for p in found if not p.startswith(kept)}


def test_sessions_in_use_while_everything_dies(capsys):
    signal.alarm(int(SECONDS * 2) + 900 if SECONDS else 180)
    before = mounts()
    with Service(CONFIG) as service:
        soak, until = Soak(service, SEED, SESSIONS, WORKERS), time.monotonic() + SECONDS
        there = files(service)
        with soak:
            soak.wait_for(ROUND)
            soak.kill_launcher()
            soak.wait_for(ROUND)
            while time.monotonic() < until - 60:
                soak.kill_launcher() if soak.kills["launcher"] < 5 * soak.kills["service"] else soak.kill_service()
                soak.wait_for(ROUND)
                report(capsys, soak)
                time.sleep(SECONDS / 60)
            soak.kill_service()
            soak.wait_for(ROUND)
            first = soak.sample()
            soak.wait_for(5 * ROUND if SECONDS else ROUND)
        rows = soak.check()
        left = helpers.poll(lambda: service.request("GET", "/sessions?state=running",
                                                    key=soak.key).json()["sessions"], 60)
        assert not left, left
        more = helpers.poll(lambda: soak.sample()[1] - first[1] > 0 and soak.samples[-1], 60)
        assert not more, "%s descriptors at work, and idle %s" % (first[1], more)
        assert soak.samples[-1][0] <= first[0] + KEPT, "MiB: %s" % soak.samples
        # made before a kill, and told to no client: listed, and removed as any other
        for kept in service.request("GET", "/snapshots", key=soak.key).json()["snapshots"]:
            assert service.request("DELETE", "/snapshots/" + kept["snapshot_id"], key=soak.key).status_code == 200, kept
        new = helpers.poll(lambda: [p for p in files(service) - there if "/snapshots/" not in p or "/chunks/" in p], 60)
        assert not new, new
        report(capsys, soak, rows)
        last = load.launcher_of(service)
    load_left = [c for pid in {*soak.launchers, last} for c in helpers.cgroup_dirs(pid)]
    assert not load_left, load_left
    assert mounts() == before


def report(capsys, soak, rows=None):
    if SECONDS:
        with capsys.disabled():
            print(time.strftime("%H:%M:%S"), dict(soak.counts), dict(soak.kills), soak.sample(), rows, flush=True)
