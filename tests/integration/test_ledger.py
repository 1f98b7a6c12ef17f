"""sandbox-ledger: many processes on one agent, deaths at any moment, hostile messages, a store that cannot be used.

What one process alone does with the store is tests/unit/test_store.c; whole runs are test_agents.py.
"""
import contextlib
import json
import os
import pathlib
import random
import resource
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import time

import pytest
from helpers import LIBEXEC, poll, read, skip, status
from ledger import DAY, HOUR, LIMITS, OUTCOMES, REASONS, STANDINGS, Ledger, Refused, now_ms, pack, start_time

PROGRAM = LIBEXEC / "sandbox-ledger"
HERE = pathlib.Path(__file__).resolve().parent
# a score far from both ends, moved by one thousandth a run: the sum of all that happened
SMALL_STEPS = {"failure": 1, "success": 0}


@pytest.fixture
def database(tmp_path):
    if not PROGRAM.exists():
        skip("%s is not built" % PROGRAM)
    os.chmod(tmp_path, 0o755)
    return tmp_path / "state/state.db"


@pytest.fixture
def ledger(database):
    with Ledger(PROGRAM, database) as one:
        yield one


def rows(database, sql, *values):
    """As another program would see it, while nobody or somebody writes."""
    db = sqlite3.connect(database, timeout=30)
    try:
        return db.execute(sql, values).fetchall()
    finally:
        db.close()


def check_consistent(database, agent="a1"):
    """Counters, trust and rows tell the same story."""
    assert rows(database, "PRAGMA integrity_check") == [("ok",)]
    (runs, successes, failures, cpu,
     trust), = rows(database, "SELECT runs, successes, failures, cpu_ms, trust FROM agents WHERE id = ?", agent)
    (count, good, bad, spent), = rows(database,
                                      "SELECT count(*), sum(event = 1), sum(event = 2), sum(cpu_ms) FROM runs")
    assert (runs, successes, failures, cpu) == (count, good, bad, spent)
    assert trust == max(0, 500 - failures)
    return count


# ---- many processes ----

WORKER = """
import json, os, sys, time
sys.path.insert(0, %r)
from ledger import *
program, database, plan = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
seen = {o: 0 for o in OUTCOMES}
slowest = 0
ledger = Ledger(program, database)
until = time.monotonic() + plan.get("seconds", 3600)
i = 0
while i < plan["runs"] and time.monotonic() < until:
    i += 1
    try:
        execution, reply = ledger.book(plan["agent"], **plan["reserve"])
        outcome = OUTCOMES[reply["outcome"]]
        seen[outcome] += 1
        if outcome == "ok":
            time.sleep(plan.get("work", 0))
            begun = time.monotonic()
            assert ledger.settle(execution, plan["reason"], cpu_us=1000, **plan["settle"])["was_settled"] == 1
            slowest = max(slowest, time.monotonic() - begun)
    except Refused as refused:
        sys.exit("refused: %%s: %%s" %% (refused.text, refused.remedy))
    except (OSError, AssertionError) as gone:
        if not plan.get("survives"):
            raise
        ledger.sock.close()
        ledger.process.wait()
        ledger = Ledger(program, database)
ledger.close()
print(json.dumps({"seen": seen, "slowest": slowest}))
""" % str(HERE)


def start_workers(database, count, **plan):
    plan = {"agent": "a1", "reserve": {}, "settle": SMALL_STEPS, "reason": "error", "runs": 10, **plan}
    return [subprocess.Popen([sys.executable, "-c", WORKER, str(PROGRAM), str(database), json.dumps(plan)],
                             stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True) for _ in range(count)]


def join(workers):
    """-> what they saw, summed"""
    total, slowest = dict.fromkeys(OUTCOMES, 0), 0
    ended = [(w, *w.communicate(timeout=110)) for w in workers]
    for worker, out, err in ended:
        assert worker.returncode == 0, err
        told = json.loads(out)
        slowest = max(slowest, told["slowest"])
        for outcome, n in told["seen"].items():
            total[outcome] += n
    return total, slowest


def test_sixteen_processes_on_one_agent_lose_nothing(database):
    total, slowest = join(start_workers(database, 16, runs=25))
    assert total == {**dict.fromkeys(OUTCOMES, 0), "ok": 400}
    assert check_consistent(database) == 400
    assert slowest < 25, "a settlement waited %.1f s" % slowest


def test_sixteen_processes_together_never_exceed_a_limit(database):
    total, _ = join(start_workers(database, 16, runs=15, reserve={"runs_per_hour": 100}))
    assert (total["ok"], total["limit"]) == (100, 140), total
    assert check_consistent(database) == 100


def test_the_limit_on_concurrent_runs_holds_at_every_moment(database):
    total, _ = join(start_workers(database, 16, runs=12, work=0.03, reserve={"global_concurrent": 3}))
    assert total["ok"] > 10 and total["limit"] > 0, total
    moments = sorted([(start, 1) for start, in rows(database, "SELECT started_ms FROM runs")] +
                     [(end, 0) for end, in rows(database, "SELECT ended_ms FROM runs")])
    running = most = 0
    for _, begins in moments:  # in the same millisecond an end comes first: times are no finer
        running += 1 if begins else -1
        most = max(most, running)
    assert most <= 3, most


def test_a_sliding_window_holds_at_every_moment(database):
    """A window of an hour, walked through with a clock of our own by four processes at once."""
    limit, base = 5, 1700000000000
    code = ("import sys; sys.path.insert(0, %r)\nfrom ledger import *\nimport random\n"
            "r = random.Random(int(sys.argv[3]))\n"
            "l = Ledger(sys.argv[1], sys.argv[2])\nnow = %d\nfor _ in range(400):\n    now += r.randrange(600000)\n"
            "    e, reply = l.book('a1', now_ms=now, runs_per_hour=%d)\n"
            "    if reply['outcome'] == 0: l.settle(e, 'sandbox_error', now_ms=now)\nl.close()"
            % (str(HERE), base, limit))
    workers = [subprocess.Popen([sys.executable, "-c", code, str(PROGRAM), str(database), str(i)]) for i in range(4)]
    assert [w.wait(100) for w in workers] == [0] * 4
    starts = [s for s, in rows(database, "SELECT started_ms FROM runs ORDER BY number")]
    assert len(starts) > 100
    # clocks differ here: what was there when a run was booked is what had been booked before
    for i, now in enumerate(starts):
        assert sum(now - HOUR < s < now + HOUR for s in starts[:i + 1]) <= limit


def test_many_who_open_a_new_store_at_once_all_succeed(database):
    for attempt in range(3):
        place = database.parent / str(attempt) / "state.db"
        ledgers = [Ledger(PROGRAM, place) for _ in range(16)]
        try:
            assert [one.agent("nobody")["is_known"] for one in ledgers] == [0] * 16
            for one in ledgers:
                one.run("a1", "error", **SMALL_STEPS)
        finally:
            for one in ledgers:
                one.close()
        assert check_consistent(place) == 16


# ---- deaths ----

def kill_some(workers, seconds, rng, another, is_enough):
    """kill -9 for a worker, whom another() follows, or for its ledger, again and again, for some seconds and until it
    is enough. -> how many"""
    killed, until = 0, time.monotonic() + seconds
    while time.monotonic() < until or not is_enough(killed):
        time.sleep(rng.uniform(0.01, 0.1))
        worker = rng.choice([w for w in workers if w.poll() is None])
        ledgers = [int(p) for p in read("/proc/%d/task/%d/children" % (worker.pid, worker.pid)).split()]
        victim = rng.choice(ledgers) if ledgers and rng.random() < 0.5 else worker.pid
        with contextlib.suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)
            killed += 1
        if victim == worker.pid:
            workers.append(another())
    return killed


@pytest.mark.parametrize("seed", [1, 2])
def test_whoever_is_killed_the_store_is_consistent_and_every_run_gets_settled(database, seed):
    rng = random.Random(seed)
    plan = {"runs": 100000, "seconds": 60, "work": 0.003, "survives": True}
    workers = start_workers(database, 12, **plan)
    killed = kill_some(workers, 3, rng, lambda: start_workers(database, 1, **plan)[0],
                       lambda killed: killed > 50 and rows(database,
                                                           "SELECT count(*) FROM runs WHERE state = 1")[0][0] > 200)
    for w in workers:
        w.kill()
    messages = [w.communicate()[1] for w in workers]
    assert not any("refused" in m for m in messages), messages
    assert killed > 30
    with Ledger(PROGRAM, database) as after:
        reported = set()
        while True:
            found = after.ask("recover", now_ms=now_ms())["runs"]
            if not found:
                break
            for run in found:
                assert run["execution_id"] not in reported, "told twice"
                assert (REASONS[run["reason"]], run["was_settled"],
                        run["trust_before"]) == ("sandbox_error", 0, run["trust_after"])
                reported.add(run["execution_id"])
                after.ask("audited", id=run["execution_id"])
    assert rows(database, "SELECT count(*) FROM runs WHERE state <> 1") == [(0,)]
    assert rows(database, "SELECT count(*) FROM runs WHERE is_recovered > 0") == [(len(reported),)]
    assert check_consistent(database) > 100
    assert reported, "nobody was killed in the middle of a run"


HEIR = """
import sys
sys.path.insert(0, %r)
from ledger import *
ledger = Ledger(sys.argv[1], sys.argv[2])
ledger.agent("a1")
print("ready", flush=True)
sys.stdin.readline()
print(len(ledger.ask("recover", now_ms=now_ms())["runs"]), flush=True)
sys.stdin.readline()
""" % str(HERE)


def test_of_many_who_recover_at_once_each_run_is_told_by_one(database):
    dead = subprocess.Popen(["/bin/true"])
    start = start_time(dead.pid)
    dead.wait()
    with Ledger(PROGRAM, database) as one:
        for i in range(30):
            one.book("a1", owner_pid=dead.pid, owner_start=start)
    heirs = [subprocess.Popen([sys.executable, "-c", HEIR, str(PROGRAM), str(database)], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True)
             for _ in range(6)]
    try:
        assert [h.stdout.readline() for h in heirs] == ["ready\n"] * 6
        for h in heirs:
            h.stdin.write("now\n")
            h.stdin.flush()
        told = sorted(int(h.stdout.readline()) for h in heirs)
    finally:
        for h in heirs:
            h.kill()
            h.communicate()
    assert told == [0] * 5 + [30], told
    with Ledger(PROGRAM, database) as last:  # the one who was told has died without telling the audit
        assert len(last.ask("recover", now_ms=now_ms())["runs"]) == 30


def test_it_ends_when_its_client_is_gone_and_not_by_a_terminal_s_signals(ledger):
    ledger.agent("a1")  # it has begun
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        ledger.process.send_signal(number)
    assert ledger.run("a1")["was_settled"] == 1
    assert ledger.close() == 0


def test_what_stays_beside_the_database_is_bounded_and_the_next_finds_all_of_it(database):
    for _ in range(40):
        with Ledger(PROGRAM, database) as one:
            for _ in range(5):
                one.run("a1")
    assert {p.name for p in database.parent.iterdir()} <= {"state.db", "state.db-wal", "state.db-shm"}
    wal = database.with_name("state.db-wal")
    assert wal.stat().st_size < 1 << 20
    with Ledger(PROGRAM, database) as last:
        assert last.agent("a1")["runs"] == 200


# ---- what the process is ----

def test_it_has_nothing_it_does_not_need(ledger, database):
    ledger.agent("a1")
    pid = ledger.process.pid
    assert status(pid)["NoNewPrivs"] == "1"
    assert resource.prlimit(pid, resource.RLIMIT_CORE) == (0, 0)
    if os.geteuid() == 0:  # it is not dumpable: its /proc belongs to root
        names = {os.readlink(p) for p in pathlib.Path("/proc/%d/fd" % pid).iterdir() if int(p.name) > 3}
        assert names <= {str(database), str(database) + "-wal", str(database) + "-shm"}, names


def test_it_says_what_it_is_when_a_person_starts_it():
    if not PROGRAM.exists():
        skip("%s is not built" % PROGRAM)
    done = subprocess.run([PROGRAM], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 2 and "sandbox-agent" in done.stderr


# ---- hostile messages ----

def test_messages_that_are_none_are_answered_and_change_nothing(ledger, database):
    ledger.run("a1")
    good = struct.pack("=Q", 5) + pack("s:execution_id n:reason", {"execution_id": "x", "reason": 0})
    rng = random.Random(3)
    bad = [b"x", b"\0" * 8, b"\xff" * 8, struct.pack("=Q", 12), struct.pack("=Q", 2**63), good, good * 20,
           b"\0" * 100000, b"A" * 200000,
           *(bytes(rng.randrange(256) for _ in range(rng.randrange(1, 400))) for _ in range(200)),
           *(struct.pack("=Q", n) + bytes(rng.randrange(256) for _ in range(rng.randrange(400))) for n in range(1, 12)
             for _ in range(30))]
    for message in bad:
        answer = ledger.raw(message)
        assert struct.unpack_from("=Q", answer)[0] == 1, message[:100]
    assert ledger.agent("a1")["runs"] == 1


@pytest.mark.parametrize("form", ["reserve", "steer", "refuse", "settle"])
def test_requests_with_impossible_members_are_refused(ledger, form):
    asks = {"reserve": lambda **v: ledger.reserve(v.pop("agent_id", "a1"), **v),
            "refuse": lambda **v: ledger.refuse("a1", **v),
            "steer": lambda **v: ledger.ask("steer", **{"agent_id": "a1", "reason": "r", "by": "b", **v}),
            "settle": lambda **v: ledger.settle("e1", **v)}
    bad = {"reserve": [{"agent_id": ""}, {"agent_id": "a\nb"}, {"agent_id": "a" * 129}, {"level": 3},
                       {"trust_seen": 1001}, {"now_ms": 2**63},
                       {"code_hash": "g" * 64}, {"execution_id": None}, {"nonce": "n" * 200}],
           "steer": [{"verb": 5}, {"public_key": "abc"}, {"trust": 1001}, {"reason": None}],
           "refuse": [{"violations": [{"type": "x", "detail": "", "severity": 5}]}, {"violations": ["v"] * 17},
                      {"rule": None}],
           "settle": [{"reason": "completed", "max": 1001}, {"violations": [{"type": None, "detail": ""}]},
                      {"was_stopped": 2}]}
    for values in bad[form]:
        with pytest.raises(Refused, match="a request that is none"):
            asks[form](**values)


def test_names_and_texts_stay_what_they_are(ledger, database):
    """Quotes, semicolons and other alphabets are no SQL."""
    for name in ("a'; DROP TABLE agents; --", 'a"b', "агент/ü@host:1", "%_", "a" * 128):
        ledger.run(name, violations=[{"type": "suspicious_syscalls", "detail": "x'); DELETE FROM runs; --",
                                      "severity": 2}])
        assert ledger.agent(name)["runs"] == 1
    assert rows(database, "SELECT count(*) FROM agents") == [(5,)]
    reason = "é" * 400
    assert ledger.steer("ban", "a" * 128, reason=reason)["standing_reason"] == "é" * 200  # 400 bytes, whole characters


# ---- a store that cannot be used ----

def refused(ledger):
    with pytest.raises(Refused) as told:
        ledger.agent("a1")
    assert told.value.remedy
    return told.value


def test_a_damaged_store_is_told_with_every_answer_and_left_alone(database):
    database.parent.mkdir(mode=0o700)
    database.write_bytes(b"this is not a database, and somebody may still need it " * 100)
    database.chmod(0o600)
    before = database.read_bytes()
    with Ledger(PROGRAM, database) as one:
        for _ in range(2):
            failure = refused(one)
            assert "damaged" in failure.text and str(database) in failure.text and "aside" in failure.remedy
    assert database.read_bytes() == before


def test_a_place_that_others_may_write_is_refused(database):
    database.parent.mkdir(mode=0o700)
    database.parent.chmod(0o777)
    with Ledger(PROGRAM, database) as one:
        assert "others may write" in refused(one).text


def test_a_full_disk_is_told_and_nothing_is_half_done(database):
    """A file size limit stands in for the disk: SQLite sees a write that does not fit, too."""
    with Ledger(PROGRAM, database) as one:
        one.run("a1", "error", **SMALL_STEPS)
    with Ledger(PROGRAM, database) as one:
        one.agent("a1")
        resource.prlimit(one.process.pid, resource.RLIMIT_FSIZE, (40000, 40000))
        with pytest.raises(Refused) as told:
            for _ in range(300):
                one.run("a1", "error", **SMALL_STEPS)
        assert told.value.remedy and str(database) in told.value.text
        assert one.agent("a1")["is_known"] == 1, "reading still works"
    with Ledger(PROGRAM, database) as one:
        while True:
            found = one.ask("recover", now_ms=now_ms())["runs"]
            if not found:
                break
            for run in found:
                one.ask("audited", id=run["execution_id"])
        running = rows(database, "SELECT count(*) FROM runs WHERE state = 0")[0][0]
        assert running <= 1  # the one that could not be settled, whose owner (this test) lives
    check_consistent(database)


def test_a_store_that_somebody_keeps_locked_is_waited_for(database):
    with Ledger(PROGRAM, database) as one:
        one.run("a1", "error", **SMALL_STEPS)
        db = sqlite3.connect(database, isolation_level=None)
        db.execute("BEGIN IMMEDIATE")
        begun = time.monotonic()
        one.sock.send(struct.pack("=Q", 11) + pack("s:id s:key_id n:now_ms n:window_ms",
                                                   {"id": "k", "now_ms": 1, "window_ms": 1}))
        time.sleep(0.7)
        db.execute("COMMIT")
        db.close()
        assert struct.unpack("=QQ", one.sock.recv(1000)) == (0, 1)
        assert time.monotonic() - begun > 0.6


# ---- speed: not a benchmark, a guard against the disk coming into the way ----

def test_a_settlement_waits_for_no_disk(ledger):
    took = []
    for i in range(200):
        execution, _ = ledger.book("a1", runs_per_hour=100000)
        begun = time.perf_counter()
        ledger.settle(execution, "sandbox_error", failure_window_ms=HOUR, volume_window_ms=HOUR)
        took.append(time.perf_counter() - begun)
    quick = sorted(took)[20]  # a disk that is waited for is waited for each time; the median is also a busy machine's
    assert quick < 0.005, "settle takes %.0f us" % (quick * 1e6)
