"""The service under the four files of an installation of the original scripts and AGiXT: see ../test_migration.py."""
import collections
import json
import os
import pathlib
import shutil
import time

import pytest
import yaml
from helpers import LEVELS, ROOT, is_root, merged, poll

SEED = next((p for p in (ROOT / "../shared/seed", ROOT / "../../shared/seed") if p.is_dir()), ROOT / "../shared/seed")
PLACES = {"ours": ROOT / "tests/data/agixt", "the user's": SEED}
DAY = 24 * 3600


@pytest.fixture(params=PLACES)
def migrated(request, make_service):
    """A service whose own configuration is theirs, unchanged, and whose --config says what this machine needs. Started
    by root it reads no user's file, and the system's is not ours to write: then both are in one."""
    place = PLACES[request.param].resolve()
    if not place.is_dir():
        pytest.skip("%s is not there: the user's own files are no part of the project" % place)
    s = make_service(start=False)
    own = s.directory("config/sandbox-agent")
    profiles = s.directory("profiles")
    for level in LEVELS:
        shutil.copy(place / (level + "-risk.yaml"), profiles)
        (profiles / (level + "-risk.yaml")).chmod(0o644)
    shutil.copy(place / "sandbox-config.yaml", own / "config.yaml")
    (own / "config.yaml").chmod(0o644)
    over = {"sandbox": {"paths": {"profiles_dir": str(profiles), "state_dir": str(s.state_dir),
                                  "log_dir": str(s.log_dir)}}}
    s.configure(merged(yaml.safe_load((own / "config.yaml").read_text()), over) if is_root() else over)
    return s.start()


def events(text):
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    return [line for line in lines if "event" in line]


def test_it_serves_and_its_log_is_in_the_file_and_on_stdout(migrated):
    s = migrated
    assert s.request("GET", "/agents", key=None).status_code == 401, "require_authentication: true"
    r = s.run("echo 42", "bash")
    assert (r["stdout"], r["risk_level"]) == ("42\n", "medium")
    wanted = [("execution_started", r["execution_id"]), ("execution_completed", r["execution_id"])]
    log = s.log_dir / "agixt-sandbox.log"
    assert not poll(lambda: [(e["event"], e["execution_id"]) for e in events(s.stdout)] != wanted), s.stdout
    assert [(e["event"], e["execution_id"]) for e in events(log.read_text())] == wanted
    assert "execution_completed" not in s.logs, "standard error has the service's own words only"
    assert "there is no metric" not in s.stdout + s.logs, "AGiXT's names of metrics are known"
    text = s.outside("GET", "/metrics").text
    assert ("sandbox_agent_executions_total{" in text and "sandbox_agent_execution_duration_seconds_count{" in text
            and "sandbox_agent_peak_memory_bytes_count" in text)
    assert "sandbox_agent_http_connections" not in text, "and no others are shown"
    assert list(s.log_dir.glob("medium-risk_*.log")) and (s.log_dir / "artifacts").is_dir()


def test_an_absent_directory_of_profiles_is_in_its_log(make_service):
    s = make_service({"sandbox": {"paths": {"profiles_dir": "/no/such/profiles"}}})
    s.wait_log("/no/such/profiles: there is no such directory: the installed profiles are used")
    assert s.run("echo 1", "bash")["stdout"] == "1\n"


def test_a_standard_output_that_nothing_reads_holds_nothing_up(make_service):
    """A pipe has room for 64 KiB: what does not fit there is dropped, and the file has it all."""
    s = make_service({"monitoring": {
        "logging": {"format": "json", "output": [{"stdout": True}, {"file": "/var/log/sandbox/agixt-sandbox.log"}]}},
                      "rate_limiting": {"enabled": False}}, start=False)
    os.mkfifo(s.dir / "stdout-1")
    reader = os.open(s.dir / "stdout-1", os.O_RDONLY | os.O_NONBLOCK)
    s.start(wait=False)
    found = b""
    until = time.monotonic() + 60
    while b"listening on " not in found or b"first key" not in found:
        assert time.monotonic() < until, found
        try:
            found += os.read(reader, 65536)
        except BlockingIOError:
            time.sleep(0.01)
    type(s).stdout, kept = property(lambda self: found.decode()), type(s).stdout
    try:
        s.wait_ready()
    finally:
        type(s).stdout = kept
    for _ in range(200):
        assert s.run("echo 1", "bash")["stdout"] == "1\n"
    seen = collections.Counter(e["event"] for e in events((s.log_dir / "agixt-sandbox.log").read_text()))
    assert seen == {"execution_started": 200, "execution_completed": 200,
                    "alert": 1}, "the alert: the key's agent ran 100 times within the hour"
    os.close(reader)


def test_the_service_s_log_is_moved_aside_when_it_is_full(make_service):
    s = make_service({"monitoring": {"logging": {"format": "json",
                                                 "output": [{"file": "/var/log/sandbox/agixt-sandbox.log"}]}}})
    log, full = s.log_dir / "agixt-sandbox.log", 16 << 20
    with open(log, "ab") as f:
        f.truncate(full)
    r = s.run("echo 1", "bash")
    assert not poll(lambda: "execution_completed" not in log.read_text()), log.read_text()
    assert [e["execution_id"] for e in events(log.read_text())
            if e["event"] == "execution_completed"] == [r["execution_id"]]
    assert (s.log_dir / "agixt-sandbox.log.1").stat().st_size == full


def test_the_service_removes_what_is_too_old(make_service):
    s = make_service(start=False)
    old = pathlib.Path(s.log_dir / "low-risk_a_20250101_000000.log")
    kept = [s.log_dir / name for name in ("their.log", "medium-risk_b_20250101_000000.log")]
    for path, days in ((old, 31), (kept[0], 400), (kept[1], 29)):
        path.write_text("x")
        os.utime(path, (time.time() - days * DAY,) * 2)
        shutil.chown(path, s.log_dir.stat().st_uid, s.log_dir.stat().st_gid)
    s.start()
    assert not poll(lambda: old.exists(), 60), "in its housekeeping, without a run"
    assert all(p.exists() for p in kept)
