"""An old state.db meets today's rules: restrictions are no offences any more."""

import json
import os
import sqlite3
import subprocess

from helpers import AGENT, ROOT, only_object


def old_database(place):
    place.mkdir(parents=True, mode=0o700)
    path = place / "state.db"
    with sqlite3.connect(path) as db:
        db.executescript((ROOT / "tests/integration/state_v3.sql").read_text())
    db.close()
    os.chmod(path, 0o600)
    return path


def shown(box, agent):
    done = box.agent("agents", "show", agent, "--json")
    assert done.code == 0, done
    return only_object(done.text)


def test_agents_in_quarantine_only_for_restrictions_are_released_once_with_a_record(box):
    path = old_database(box.dir / "state/sandbox-agent")
    box.user_config({"agixt": {"analysis": {"enabled": False}}, "rate_limiting": {"enabled": False}})
    good, restricted, hostile = (shown(box, a) for a in ("good", "restricted", "hostile"))
    assert (good["standing"], good["trust"], good["runs"]) == ("good", 0.6, 2)
    assert (restricted["standing"], restricted["violations"]) == ("good", 0), restricted
    assert (hostile["standing"], hostile["violations"]) == ("quarantined", 1), hostile
    assert shown(box, "byhand")["standing"] == "quarantined" and shown(box, "banned")["standing"] == "banned"
    for _ in range(2):  # told by the next run, and once
        done = box.run("python", "print(1)", options=["--agent-id", "restricted", "--json"])
        assert done.result["reason"] == "completed", done
    lines = [json.loads(line) for line in (box.log_dir / "audit.jsonl").read_text().splitlines()]
    released = [e for e in lines if e["event"]["action"] == "agent-released"]
    assert [e["gen_ai"]["agent"]["id"] for e in released] == ["restricted"]
    assert "no violation any more" in released[0]["event"]["reason"]
    again = box.run("python", "print(1)", options=["--agent-id", "hostile", "--json"])
    assert again.result["reason"] == "policy_denied"
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (6,)
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    db.close()


def test_what_is_released_can_offend_again_and_stays_out_then(box):
    old_database(box.dir / "state/sandbox-agent")
    box.user_config({"agixt": {"analysis": {"enabled": False}}, "rate_limiting": {"enabled": False}})
    for i in range(3):
        box.run("python", "open('/etc/passwd', 'a').write('x')  # %d" % i,
                options=["--agent-id", "restricted", "--json"])
    again = shown(box, "restricted")
    assert again["standing"] == "quarantined", again
