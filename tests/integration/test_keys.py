"""The command `keys`: who may call the service. What the service does with them is in the service's own tests."""
import hashlib
import json
import os
import re
import sqlite3
import subprocess
import time

import pytest
from helpers import AGENT, LIBEXEC, only_object, skip
from ledger import Ledger

TOKEN = re.compile(r"sa_[A-Za-z0-9_-]{43}")


def database(box):
    return box.dir / "state/sandbox-agent/state.db"


def rows(path, sql):
    db = sqlite3.connect(path, timeout=30)
    try:
        return db.execute(sql).fetchall()
    finally:
        db.close()


def create(box, *words):
    done = box.agent("keys", "create", "--json", *words)
    assert done.code == 0, done
    return only_object(done.text)


def keys(box):
    return only_object(box.agent("keys", "list", "--json").text)["keys"]


def audited(box):
    path = box.log_dir / "audit.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def test_looking_where_nothing_is_makes_nothing(box):
    done = box.agent("keys", "list")
    assert (done.code, done.text) == (0, "there are no keys\n"), done
    assert keys(box) == [] and not database(box).exists()


def test_create_prints_the_token_once_and_only_its_hash_is_kept(box):
    done = box.agent("keys", "create", "--name", "ci")
    assert done.code == 0, done
    token = done.text.rstrip("\n")
    assert TOKEN.fullmatch(token) and done.text == token + "\n"
    assert token not in done.err.decode() and "shown only now" in done.err.decode()
    (name, kept, role), = rows(database(box), "SELECT name, hash, role FROM keys")
    assert (name, kept, role) == ("ci", hashlib.sha256(token.encode()).hexdigest(), 0)
    for path in box.dir.rglob("*"):
        assert not path.is_file() or token.encode() not in path.read_bytes(), path
    assert token not in box.agent("keys", "list").text


def test_a_key_has_its_role_bindings_and_expiry(box):
    before = time.time()
    made = create(box, "--name", "bound", "--role", "run", "--agent", "a1", "--agent", "a/2", "--level", "high",
                  "--level", "low", "--expires", "30d")
    assert TOKEN.fullmatch(made.pop("token"))
    assert (made["role"], made["agents"], made["levels"]) == ("run", ["a1", "a/2"], ["low", "high"])
    good = time.mktime(time.strptime(made["expires_at"], "%Y-%m-%dT%H:%M:%SZ")) - time.timezone
    assert before + 30 * 86400 - 1 <= good <= time.time() + 30 * 86400 + 1
    assert keys(box) == [made]
    text = box.agent("keys", "list").text
    assert "agent=a/2" in text and "level=high" in text and "good" in text


@pytest.mark.parametrize("words, said", [
    (["create"], "--name is missing"), (["create", "--name", "x", "--role", "root"], "run, read and admin"),
    (["create", "--name", "x", "--level", "huge"], "low, medium and high"),
    (["create", "--name", "x", "--expires", "5"], "how long from now"),
    (["create", "--name", "x", "--expires", "0d"], "how long from now"),
    (["create", "--name", "a\tb"], "control characters"),
    (["create", "--name", "x", "--role", "admin", "--agent", "a"], "only a key with the role run"),
    (["create", "x"], "unexpected word"),
    (["list", "--role", "run"], "for create"), (["revoke"], "which key"), (["revoke", "nobody"], "no key"),
    (["burn"], "accepted are"), ([], "accepted are"),
])
def test_wrong_words_are_usage_errors_and_change_nothing(box, words, said):
    done = box.agent("keys", *words)
    assert done.code == 2 and said in done.err.decode() and done.text == "", done
    assert not database(box).exists() and not audited(box)


def test_a_name_is_free_again_after_its_key_was_revoked(box):
    first = create(box, "--name", "ci")
    done = box.agent("keys", "create", "--name", "ci")
    assert done.code == 2 and "there is a key with the name ci" in done.err.decode() and done.text == "", done
    done = box.agent("keys", "revoke", "ci")
    assert (done.code, done.text) == (0, "revoked %s ci\n" % first["id"]), done
    assert box.agent("keys", "revoke", first["id"]).code == 2
    second = create(box, "--name", "ci")
    assert [(k["id"], bool(k["revoked_at"])) for k in keys(box)] == [(first["id"], True), (second["id"], False)]


def test_the_last_admin_s_end_is_told(box):
    for name in ("one", "two"):
        create(box, "--name", name, "--role", "admin")
    assert "no key with the role admin" not in box.agent("keys", "revoke", "one").err.decode()
    assert "no key with the role admin" in box.agent("keys", "revoke", "two").err.decode()


def test_each_act_is_a_line_in_the_audit_without_the_token(box):
    made = create(box, "--name", "ci", "--agent", "a1")
    box.agent("keys", "create", "--name", "ci")
    box.agent("keys", "revoke", "ci")
    assert [e["event"]["action"] for e in audited(box) if e["event"]["action"].startswith("key-")] == \
        ["key-created", "key-created", "key-change-failed", "key-revoked"]
    text = (box.log_dir / "audit.jsonl").read_text()
    assert made["id"] in text and '"agents":["a1"]' in text and made["token"] not in text and TOKEN.search(text) is None
    done = box.agent("audit", "verify")
    assert done.code == 0, done


def test_more_keys_than_a_page_are_listed(box):
    with Ledger(LIBEXEC / "sandbox-ledger", database(box)) as ledger:
        for i in range(70):
            ledger.ask("key-add", id="key-%012x" % i, name="n%d" % i, hash="%064x" % i,
                       agents="\n".join(["a" * 100] * 40), created_ms=5)
    found = keys(box)
    assert [k["name"] for k in found] == ["n%d" % i for i in range(70)]
    assert all(len(k["agents"]) == 40 for k in found)


def test_root_works_on_a_service_s_state_and_leaves_it_the_service_s(tmp_path):
    if os.geteuid() != 0:
        skip("needs root")
    uid = 61999
    state, log = tmp_path / "state", tmp_path / "log"
    for place in (state, log):
        place.mkdir(mode=0o700)
    os.chown(state, uid, uid)
    for place in (tmp_path, *tmp_path.parents):
        os.chmod(place, os.stat(place).st_mode | 0o011) if str(place).startswith("/tmp/") else None
    config = tmp_path / "config.yaml"
    config.write_text("sandbox:\n  paths:\n    state_dir: %s\n    log_dir: %s\n" % (state, log))
    env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "LC_ALL": "C.UTF-8",
           "XDG_CACHE_HOME": str(tmp_path / "cache")}

    def agent(*words):
        return subprocess.run([AGENT, *words, "--config", config], capture_output=True, text=True, env=env, timeout=60)
    done = agent("keys", "create", "--name", "ci")
    assert done.returncode == 0 and TOKEN.fullmatch(done.stdout.strip()), done
    done = agent("agents", "list")
    assert done.returncode == 0, done
    files = {p.name: p.stat().st_uid for p in state.iterdir() if p.name.startswith("state.db")}
    assert set(files) >= {"state.db", "state.db-wal"} and set(files.values()) == {uid}, files
    # and the service's user goes on with it
    done = subprocess.run([AGENT, "keys", "list", "--json", "--config", config], capture_output=True, text=True,
                          env={**env, "HOME": str(state)},
                          user=uid, group=uid, extra_groups=[], timeout=60)
    assert done.returncode == 0 and [k["name"] for k in json.loads(done.stdout)["keys"]] == ["ci"], done
