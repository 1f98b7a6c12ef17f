"""The command `agents`: looking at what is remembered, and an administrator's acts. What they do to runs is in
test_agents.py."""
import contextlib
import json
import os
import pty
import re
import sqlite3

import pytest
from helpers import LIBEXEC, copy_installation, only_object
from ledger import Ledger, now_ms

COLUMNS = ["AGENT", "TRUST", "STANDING", "RUNS", "OK", "FAILED", "VIOLATIONS", "REFUSED", "CPU s", "LAST RUN"]
KEYS = {"agent_id", "trust", "standing", "standing_reason", "standing_by", "standing_since", "first_seen", "last_run",
        "runs", "successes",
        "failures", "violations", "refusals", "cpu_ms", "public_key", "errors", "attempts", "key_id"}
KEY = "0123456789abcdef" * 4


def database(box):
    return box.dir / "state/sandbox-agent/state.db"


@pytest.fixture
def known(box):
    """A box where agent-1 has run and failed, and agent-2 is quarantined."""
    with Ledger(LIBEXEC / "sandbox-ledger", database(box)) as ledger:
        now = now_ms()
        for i in range(3):
            ledger.run("agent-1", "completed", at=now - 400 + 100 * i, code_hash="%064x" % i, cpu_us=1500000)
        ledger.run("agent-1", "error", at=now - 100)
        for _ in range(3):
            ledger.run("agent-2", violations=["suspicious_syscalls"])
    return box


def show(box, agent, **more):
    done = box.agent("agents", "show", agent, "--json", **more)
    assert done.code == 0, done
    return only_object(done.text)


def actions(box):
    path = box.log_dir / "audit.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


# ---- looking ----

def test_looking_where_nothing_is_makes_nothing(box):
    done = box.agent("agents", "list")
    assert (done.code, done.text) == (0, "no agent is known\n"), done
    assert only_object(box.agent("agents", "list", "--json").text) == {"agents": [], "is_cut": False}
    assert not database(box).exists()


def test_the_list_is_a_table_and_with_json_one_object(known):
    done = known.agent("agents", "list")
    lines = done.text.splitlines()
    assert done.code == 0 and re.split(r"\s{2,}", lines[0].strip()) == COLUMNS, done
    assert re.match(r"agent-1 +0\.500 +good +4 +3 +1 +0 +0 +4 +(now|\d+ s ago)$", lines[1]), lines[1]
    assert re.match(r"agent-2 +0\.000 +quarantined +3 +0 +3 +3 +0 +0 +", lines[2]), lines[2]
    assert "\x1b" not in done.text, "colours without a terminal"
    listed = only_object(known.agent("agents", "list", "--json").text)
    assert [a["agent_id"] for a in listed["agents"]] == ["agent-1", "agent-2"] and not listed["is_cut"]
    assert set(listed["agents"][0]) == KEYS


def test_show_tells_everything_and_draws_the_history(known):
    text = known.agent("agents", "show", "agent-1").text
    assert re.search(r"^trust +0\.500$", text, re.M) and re.search(r"^standing +good$", text, re.M), text
    assert re.search(r"^history +▄█▁ +between 0\.500 and 0\.600 since 20", text, re.M), text
    plain = known.agent("agents", "show", "agent-1", env={"LC_ALL": "C"}).text
    assert re.search(r"^history +=#_ +between", plain, re.M) and plain.isascii(), plain
    text = known.agent("agents", "show", "agent-2").text
    assert re.search(r"^standing +quarantined since \S+ by policy$", text, re.M), text
    assert "3 violations within 24 h" in text
    shown = show(known, "agent-1")
    assert set(shown) == KEYS | {"history"} and shown["trust"] == 0.5 and shown["cpu_ms"] == 4500
    assert [p["trust"] for p in shown["history"]] == [0.55, 0.6, 0.5]


def test_colours_are_for_terminals_that_want_them(known):
    def on_terminal(**env):
        master, slave = pty.openpty()
        live = known.start("agents", "list", stdout=slave, env={"TERM": "xterm", **env})
        os.close(slave)
        live.process.wait(60)
        seen = os.read(master, 65536)
        os.close(master)
        return seen
    assert b"\x1b[33mquarantined" in on_terminal()
    assert b"\x1b" not in on_terminal(NO_COLOR="1")
    assert b"\x1b" not in on_terminal(TERM="dumb")


def test_more_agents_than_a_message_holds_are_all_listed(box):
    with Ledger(LIBEXEC / "sandbox-ledger", database(box)) as ledger:
        ledger.agent("x")
        db = sqlite3.connect(database(box))
        db.executemany("INSERT INTO agents(id, trust, trust_at_ms, first_seen_ms, standing, standing_reason, "
                       "standing_by) "
                       "VALUES(?, 500, 1, 1, 2, ?, ?)",
                       [("%04d" % i + "x" * 124, "r" * 400, "b" * 128) for i in range(1100)])
        db.commit()
        db.close()
    listed = only_object(box.agent("agents", "list", "--json").text)
    assert len(listed["agents"]) == 1000 and listed["is_cut"]
    last = listed["agents"][-1]["agent_id"]
    rest = only_object(box.agent("agents", "list", "--json", "--after", last).text)
    assert len(rest["agents"]) == 100 and not rest["is_cut"]
    assert "--after" in box.agent("agents", "list").text.splitlines()[-1]


# ---- acts ----

def test_each_act_is_done_told_and_audited(known):
    for words, action, standing in ((["quarantine", "agent-1", "--reason", "odd"], "agent-quarantined", "quarantined"),
                                    (["ban", "agent-1", "--reason", "worse"], "agent-banned", "banned"),
                                    (["release", "agent-1", "--reason", "looked"], "agent-released", "good")):
        done = known.agent("agents", *words)
        assert done.code == 0 and re.search(r"^standing +%s" % standing, done.text, re.M), done
        shown = show(known, "agent-1")
        assert shown["standing"] == standing
        assert shown["standing_reason"] == (None if standing == "good" else words[-1])
        last = actions(known)[-1]
        assert (last["event"]["action"], last["event"]["reason"]) == (action, words[-1]), last
    done = known.agent("agents", "trust", "agent-1", "0.85", "--reason", "known for years", "--json")
    assert only_object(done.text)["trust"] == 0.85 and show(known, "agent-1")["trust"] == 0.85
    assert actions(known)[-1]["event"]["action"] == "agent-trust-set"
    done = known.agent("agents", "key", "agent-1", "--public", KEY.upper(), "--reason", "theirs")
    assert done.code == 0 and show(known, "agent-1")["public_key"] == KEY, done
    assert known.agent("agents", "key", "agent-1", "--remove", "--reason", "lost").code == 0
    assert show(known, "agent-1")["public_key"] is None
    assert [e["event"]["action"] for e in actions(known)[-2:]] == ["agent-key-registered", "agent-key-removed"]


def test_an_act_that_cannot_be_audited_is_not_done(known):
    known.log_dir.mkdir(exist_ok=True)
    (known.log_dir / "audit.jsonl").mkdir()  # in the way
    done = known.agent("agents", "ban", "agent-1", "--reason", "odd")
    assert done.code not in (0, 2) and "audit" in done.words, done
    assert show(known, "agent-1")["standing"] == "good"


def test_ban_and_key_take_agents_that_nobody_has_seen_and_trust_only_when_told(box):
    assert box.agent("agents", "ban", "new-1", "--reason", "r").code == 0
    assert box.agent("agents", "key", "new-2", "--public", KEY, "--reason", "r").code == 0
    box.agent("agents", "trust", "new-3", "0.9", "--reason", "r").refused(2, "new-3", "not known", "agents list")
    box.agent("agents", "release", "new-3", "--reason", "r").refused(2, "not known")
    assert box.agent("agents", "trust", "new-3", "0.9", "--reason", "r", "--new").code == 0
    assert [a["agent_id"] for a in only_object(box.agent("agents", "list",
                                                         "--json").text)["agents"]] == ["new-1", "new-2", "new-3"]
    assert "agent-released" not in [e["event"]["action"] for e in actions(box)]


@pytest.mark.parametrize("words, needles", [
    (["show", "nobody"], ["nobody", "not known", "agents list"]),
    (["ban", "agent-1"], ["reason", "--reason TEXT"]),
    (["ban", "agent-1", "--reason", ""], ["reason"]),
    (["release", "agent-1", "--reason", "x" * 401], ["too long"]),
    (["trust", "agent-1", "--reason", "r"], ["which score"]),
    (["trust", "agent-1", "1.1", "--reason", "r"], ["1.1", "between 0 and 1"]),
    (["trust", "agent-1", "high", "--reason", "r"], ["high", "between"]),
    (["key", "agent-1", "--reason", "r"], ["--public"]),
    (["key", "agent-1", "--public", "abc", "--reason", "r"], ["abc", "64 hex digits"]),
    (["key", "agent-1", "--public", KEY, "--remove", "--reason", "r"], ["--public"]),
    (["show"], ["which agent"]),
    (["show", "a\nb"], ["1 to 128 printable ASCII characters"]),
    (["show", "a" * 129], ["1 to 128 printable ASCII characters"]),
    (["show", ""], ["1 to 128 printable ASCII characters"]),
    (["show", "a", "b"], ["one word too many", "b"]),
    (["list", "a"], ["one word too many"]),
    (["lst"], ["lst", "--help"]),
    ([], ["what to do"]),
    (["show", "-x"], ["unknown option -x"]),
    (["list", "--config"], ["a value is missing"]),
    (["list", "--config", "/nonexistent.yaml"], ["/nonexistent.yaml"]),
])
def test_what_is_wrong_is_said_in_one_line_with_exit_2(known, words, needles):
    known.agent("agents", *words).refused(2, *needles)


def test_bounds_and_place_come_from_the_configuration(known):
    known.user_config({"agixt": {"trust": {"max_score": 0.9}},
                       "sandbox": {"paths": {"state_dir": str(known.dir / "elsewhere")}}})
    known.agent("agents", "trust", "agent-1", "0.95", "--reason", "r", "--new").refused(2, "between 0 and 0.9")
    assert known.agent("agents", "trust", "agent-9", "0.9", "--reason", "r", "--new").code == 0
    assert (known.dir / "elsewhere/state.db").exists()
    other = known.file("other.yaml", "sandbox:\n  paths:\n    state_dir: %s\n    log_dir: %s\n"
                       % (known.dir / "third", known.log_dir))
    assert known.agent("agents", "list", "--config", other).text == "no agent is known\n"


def test_help_names_every_verb(box):
    done = box.agent("agents", "--help")
    assert done.code == 0 and not done.err
    for verb in ("list", "show", "trust", "quarantine", "release", "ban", "key"):
        assert re.search(r"agents %s\b" % verb, done.text)


def test_a_damaged_store_and_a_missing_program_are_told(known):
    with contextlib.closing(sqlite3.connect(database(known))) as db:  # or the pages in the WAL would be read instead
        assert db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
    with open(database(known), "r+b") as f:
        f.write(b"garbage" * 20)
    done = known.agent("agents", "list").refused(125, str(database(known)), "damaged", "aside")
    prefix = copy_installation(known.dir / "prefix")
    (prefix / "libexec/sandbox-agent/sandbox-ledger").unlink()
    known.agent("agents", "list", agent=prefix / "bin/sandbox-agent").refused(125, "sandbox-ledger", "make install")
