"""Run logs, artifacts and caches go by age and by size, at most once an hour, and nothing else ever does."""
import os
import pathlib
import time

import helpers
import pytest
from helpers import poll

DAY = 24 * 3600


def old_file(path, days, size=1000):
    path.write_bytes(b"x" * size)
    os.utime(path, (time.time() - days * DAY,) * 2)
    return path


def configure(box, logs=None, artifacts=None, cache=None):
    box.user_config({"monitoring": {"logging": logs or {}}, "security": {"store_artifacts": artifacts or {}},
                     "sandbox": {"cache": cache or {}}})


def due_again(box, is_idle=True):
    """As if an hour had passed, and the last look had ended."""
    assert not is_idle or not poll(helpers.left_processes)
    for mark in (box.log_dir / ".swept", box.log_dir / "artifacts/.swept"):
        if mark.exists():
            os.utime(mark, (time.time() - 3700,) * 2)


def run(box):
    assert box.command("/bin/echo", "words").code == 0


def gone(*paths):
    assert not poll(lambda: [p for p in paths if p.exists()], 30), [p for p in paths if p.exists()]


def test_old_logs_go_and_nothing_of_anybody_else(box):
    configure(box, logs={"retention_days": 10})
    run(box)
    assert not poll(helpers.left_processes), "the first run's own look has ended"
    old = [old_file(box.log_dir / name, 11)
           for name in ("low-risk_a_20250101_000000.log",
                        "high-risk_b_c_20250101_000000-exec-0123456789abcdef01234567.log")]
    kept = [old_file(box.log_dir / name, 400)
            for name in ("audit.jsonl.1", "audit-20250101.jsonl", "alerts.log", "agixt-sandbox.log", "notes.log",
                         "mine_a_20250101_000000.log")]
    kept += [old_file(box.log_dir / "medium-risk_a_20250101_000000.log", 9)] + box.logs()[-1:]
    audit = (box.log_dir / "audit.jsonl").read_bytes()
    run(box)
    assert all(p.exists() for p in old), "at most once an hour"
    due_again(box)
    run(box)
    gone(*old)
    assert all(p.exists() for p in kept) and (box.log_dir / "audit.jsonl").read_bytes().startswith(audit)
    assert box.agent("audit", "verify").code == 0


def test_the_first_run_removes_what_was_there_before(box):
    box.log_dir.mkdir()
    old = old_file(box.log_dir / "low-risk_a_20250101_000000.log", 31)
    run(box)
    gone(old)


def test_of_logs_that_are_too_much_the_oldest_go(box):
    configure(box, logs={"max_total_size": "300k"})
    run(box)
    logs = [old_file(box.log_dir / ("medium-risk_a_2026010%d_000000.log" % i), 9 - i, 100 << 10) for i in range(1, 7)]
    due_again(box)
    run(box)
    gone(*logs[:4])
    assert logs[5].exists() and len(box.logs()) >= 3, "the newest stay"


def test_a_log_that_is_being_written_stays(box):
    configure(box, logs={"max_total_size": "64k"})
    live = box.live("bash", "head -c 100000 /dev/zero; echo ready; sleep 60", marker=b"ready")
    (log,) = box.logs()
    other = old_file(box.log_dir / "medium-risk_a_20260101_000000.log", 3, 100 << 10)
    os.utime(log, (time.time() - 5 * DAY,) * 2)
    due_again(box, is_idle=False)
    run(box)
    gone(other)
    assert log.exists()
    live.process.terminate()
    live.finish()
    assert b"Execution Summary" in log.read_bytes()


def test_a_levels_own_place_is_kept_in_order_too(box):
    place = box.directory("elsewhere")
    profile = box.derive("medium", logging__output=str(place / "team"))
    old = old_file(place / "team_a_20250101_000000.log", 31)
    kept = [old_file(place / name, 31)
            for name in ("teams_a_20250101_000000.log", "low-risk_a_20250101_000000.log", "team.log")]
    assert box.command("/bin/true", profile=profile).code == 0
    gone(old)
    assert all(p.exists() for p in kept)


def test_artifacts_go_by_age_and_by_size(box):
    configure(box, artifacts={"max_total_size": "1m", "retention_days": 20})
    results = [box.command_json("/bin/sh", "-c", "head -c 400000 /dev/urandom") for _ in range(4)]
    dirs = [box.log_dir / "artifacts" / r["execution_id"] for r in results]
    for days, place in zip((30, 3, 2, 1), dirs):
        os.utime(place / "manifest.json", (time.time() - days * DAY,) * 2)
    due_again(box)
    run(box)
    gone(dirs[0], dirs[1])
    assert dirs[2].exists() and dirs[3].exists()
    assert not poll(lambda: sum(p.stat().st_size for p in (box.log_dir / "artifacts/objects").rglob("*")
                                if p.is_file()) > 1 << 20, 30)


def test_caches_go_too_and_are_made_again(box):
    configure(box, cache={"retention_days": 5})
    code = "print(1)\n"
    assert box.run("python", code).out == b"1\n"
    cache = pathlib.Path(box.env["XDG_CACHE_HOME"]) / "sandbox-agent"
    policies = list(cache.glob("*.policy"))
    assert policies, list(cache.iterdir())
    for p in policies:
        os.utime(p, (time.time() - 6 * DAY,) * 2)
    kept = old_file(cache / "notes.policy", 6)
    due_again(box)
    run(box)
    gone(*policies)
    assert kept.exists() and box.run("python", code).out == b"1\n"


def test_files_of_lines_are_moved_aside_when_they_are_full(box):
    full = 16 << 20
    names = ("agixt-sandbox.log", "alerts.log")
    box.user_config({"agixt": {"analysis": {"enabled": False}},
                     "monitoring": {"logging": {"output": ["/var/log/sandbox/agixt-sandbox.log"]},
                                    "alerts": {"channels": ["log"],
                                               "conditions": [{"name": "excessive_executions", "threshold": 2,
                                                               "window": 3600}]}}})
    words = ("--agent-id", "a1", "--language", "python", "--code", box.code("print(1)"))
    assert box.agent(*words).code == 0
    for name in names:
        with open(box.log_dir / name, "ab") as f:
            f.truncate(full)
    for _ in range(2):
        assert box.agent(*words).code == 0
    for name in names:
        assert ((box.log_dir / (name + ".1")).stat().st_size == full
                and 0 < (box.log_dir / name).stat().st_size < full), name


def test_a_command_line_does_not_wait_for_it(box):
    """The process that removes is another one, in a session of its own, without our descriptors."""
    box.log_dir.mkdir()
    for i in range(3000):
        old_file(box.log_dir / ("low-risk_a_20250101_%06d.log" % i), 31, 10)
    run(box)
    gone(*[box.log_dir / ("low-risk_a_20250101_%06d.log" % i) for i in range(3000)])


@pytest.mark.parametrize("key, value",
                         [("monitoring.logging.retention_days", 0), ("monitoring.logging.max_total_size", "-1"),
                          ("sandbox.cache.retention_days", "soon")])
def test_bad_values_are_refused(box, key, value):
    words = key.split(".")
    box.user_config({words[0]: {words[1]: {words[2]: value}}})
    box.command("/bin/true").refused(2, key)


def test_doctor_says_what_is_kept(box):
    if os.environ.get("SANDBOX_TEST_CONFIG"):
        helpers.skip("the configuration is another backend's")
    configure(box, logs={"max_total_size": "100k"})
    run(box)
    old_file(box.log_dir / "low-risk_a_20260101_000000.log", 1, 80 << 20)
    report = box.agent("doctor")
    line = next(line for line in report.text.splitlines() if " retention " in line)
    assert "logs 80 MiB of 0 (30 days)" in line and "artifacts" in line and "caches" in line, line
    assert "the logs take 80 MiB" in report.text, report.text
