"""Snapshots of workspaces: what they keep, who has them, what is left of them (docs/sessions.md)."""
import hashlib
import os

import helpers
import load
import pytest
from service import Service, error_of

from test_sessions import Session

LIMIT = 4 * 1024 * 1024


@pytest.fixture(scope="module")
def service():
    with Service({**load.UNLIMITED, "endpoints": {"api": {"max_storage": "4m"}}}) as s:
        yield s


@pytest.fixture
def key(service):
    return service.new_key("run", allow_risk_override=True)


def snapshot(session):
    answer = session.ask("POST", "/snapshots")
    assert answer.status_code == 201, answer.text
    return answer.json()


def remove(session, made, key=None):
    return session.service.request("DELETE", "/snapshots/" + made["snapshot_id"], key=key or session.key)


def stored(service):
    """Bytes of all chunks, and names of whatever else lies there."""
    chunks, others = 0, []
    for at, _, names in os.walk(service.state_dir / "snapshots"):
        for name in names:
            if at.endswith("/chunks") and not name.startswith("new-"):
                chunks += os.path.getsize(os.path.join(at, name))
            elif not name.startswith("snap-"):
                others.append(name)
    return chunks, others


def listed(service, key):
    return {s["snapshot_id"] for s in service.request("GET", "/snapshots", key=key).json()["snapshots"]}


def refused(session, **body):
    body = {"risk_level": "low", "agent_id": "worker", **body}
    return session.service.request("POST", "/sessions", key=session.key, json=body)


TREE = ("mkdir -p d/e; echo one > d/e/f; chmod 700 d/e/f; ln -s e/f d/link; ln -s /etc/passwd out; mkfifo fifo; "
        "touch \"$(printf 'a\\377b\\nc')\"")


def test_a_session_begins_with_what_another_one_had(service, key):
    first = Session(service, key=key)
    first.run(TREE)
    made = snapshot(first)
    assert made["session_id"] == first.id and made["risk_level"] == "low" and made["bytes"] >= made["stored_bytes"] > 0
    first.run("echo later > d/e/f")
    first.ask("DELETE")
    first.ended("deleted")
    second = Session(service, key=first.key, **{"from": made["snapshot_id"]})
    said = second.run("cat d/link; stat -c %a d/e/f; readlink out; ls -A | wc -l; cat \"$(printf 'a\\377b\\nc')\"; "
                      "echo own >> d/e/f; cat d/e/f")["stdout"]
    assert said == "one\n700\n/etc/passwd\n4\none\nown\n", "three, one of two lines: the fifo is left out"
    assert Session(service, key=first.key, **{"from": made["snapshot_id"]}).run("cat d/e/f")["stdout"] == "one\n"
    assert listed(service, first.key) == {made["snapshot_id"]}
    assert remove(first, made).json() == made and stored(service) == (0, [])
    error_of(remove(first, made), 404, "not_found")
    error_of(refused(first, **{"from": made["snapshot_id"]}), 404, "not_found")
    error_of(refused(first, **{"from": "../x"}), 404, "not_found")


def test_what_two_have_is_stored_once(service, key):
    s = Session(service, key=key)
    s.run("head -c 1500000 /dev/urandom > large; echo 1 > small")
    one = snapshot(s)
    s.run("echo 2 > small; echo more >> small")
    two = snapshot(s)
    assert one["stored_bytes"] == one["bytes"] and two["stored_bytes"] < 600000 < two["bytes"], (one, two)
    assert stored(service) == (one["stored_bytes"] + two["stored_bytes"], [])
    assert remove(s, one).status_code == 200
    again = Session(service, key=s.key, **{"from": two["snapshot_id"]})
    same = again.run("cmp large - && cat small", stdin_base64=s.run("base64 -w0 large")["stdout"])
    assert same["stdout"] == "2\nmore\n", same
    assert remove(s, two).status_code == 200 and stored(service) == (0, [])


def test_beyond_the_keys_limit_nothing_is_left(service, key):
    s = Session(service, key=key)
    s.run("head -c %d /dev/urandom > large" % (LIMIT - 1000000))
    made = snapshot(s)
    s.run("head -c 2000000 /dev/urandom > other")
    before = stored(service)
    said = error_of(s.ask("POST", "/snapshots"), 413, "body_too_large")
    assert "max_storage" in said["details"]["remedy"], said
    assert stored(service) == before and listed(service, s.key) == {made["snapshot_id"]}
    other = Session(service, key=service.new_key("run", allow_risk_override=True))
    other.run("head -c 2000000 /dev/urandom > other")
    assert remove(other, snapshot(other)).status_code == 200, "another key has a limit of its own"
    assert remove(s, made).status_code == 200


def test_sparse_files_count_at_their_full_size(service, key):
    s = Session(service, key=key)
    s.run("truncate -s 900m one; truncate -s 200m two")
    said = error_of(s.ask("POST", "/snapshots"), 413, "body_too_large")
    assert "resources.storage" in said["details"]["remedy"] and stored(service) == (0, []), said
    s.run("truncate -s 20m one; rm two")
    made = snapshot(s)
    assert made["bytes"] > 20 << 20 and made["stored_bytes"] < 1 << 20, made
    assert remove(s, made).status_code == 200


def test_a_snapshot_is_its_keys_own(service, key):
    s, other = Session(service, key=key), service.new_key("run", allow_risk_override=True)
    made = snapshot(s)
    assert made["snapshot_id"] not in listed(service, other)
    error_of(remove(s, made, other), 404, "not_found")
    body = {"risk_level": "low", "agent_id": "thief", "from": made["snapshot_id"]}
    error_of(service.request("POST", "/sessions", key=other, json=body), 404, "not_found")
    assert made["snapshot_id"] in listed(service, service.key), "an admin sees all"
    assert remove(s, made, service.key).status_code == 200


def test_it_is_restored_at_the_same_level_or_a_stricter_one(service, key):
    medium = Session(service, key=key, risk_level="medium", agent_id="careful")
    medium.run("echo x > f")
    made = snapshot(medium)
    denied = error_of(refused(medium, agent_id="careful", **{"from": made["snapshot_id"]}), 403, "policy_denied")
    assert denied["details"]["rule"] == "snapshot_level", denied
    again = Session(service, key=medium.key, risk_level="medium", agent_id="careful", **{"from": made["snapshot_id"]})
    assert again.run("cat f")["stdout"] == "x\n"
    high = Session(service, key=medium.key, risk_level="high", agent_id="careful")
    error_of(high.ask("POST", "/snapshots"), 409, "conflict")  # there is no workspace
    assert remove(medium, made).status_code == 200


def test_what_is_damaged_or_was_left_by_a_service_that_was_killed(service, key):
    s = Session(service, key=key)
    s.run("head -c 100000 /dev/urandom > f")
    made = snapshot(s)
    home = service.state_dir / "snapshots" / hashlib.sha256(made["key_id"].encode()).hexdigest()
    (home / "chunks" / ("0" * 64)).write_bytes(b"of none")
    (home / "chunks" / "new-7").write_bytes(b"half")
    (home / "new-8").write_bytes(b"half")
    assert snapshot(s)["stored_bytes"] == 0, "nothing has changed"
    assert not (home / "new-8").exists() and stored(service)[1] == [] and not (home / "chunks" / ("0" * 64)).exists()
    for chunk in (home / "chunks").iterdir():
        chunk.write_bytes(b"X" + chunk.read_bytes()[1:])
    error_of(refused(s, **{"from": made["snapshot_id"]}), 503, "unavailable")
    running = "/sessions?state=running"
    assert not helpers.poll(lambda: service.request("GET", running, key=s.key).json()["sessions"][1:], 60)
    for name in listed(service, s.key):
        assert service.request("DELETE", "/snapshots/" + name, key=s.key).status_code == 200
    assert stored(service) == (0, [])


def test_a_service_removes_what_its_configuration_lets_stay_no_longer(make_service):
    s = make_service({**load.UNLIMITED})
    session = Session(s)
    session.run("head -c 100000 /dev/urandom > f")
    snapshot(session)
    session.run("head -c 100000 /dev/urandom > f")
    new = snapshot(session)["snapshot_id"]
    s.stop()
    s.configure({**load.UNLIMITED, "endpoints": {"api": {"snapshots": {"max_total_size": "150k"}}}})
    s.start()
    assert not helpers.poll(lambda: set(listed(s, session.key)) != {new}, 60), listed(s, session.key)
