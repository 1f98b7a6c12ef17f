"""Who is let in: keys and their ends, keys by the API, AGiXT's tokens. What each role may do is test_roles.py, the
first and the last key and services without keys are test_auth_alone.py: those start services of their own."""
import json
import os
import subprocess
import time

import helpers
import jwt
import pytest
from service import Service, error_of

SECRET = "an AGIXT_API_KEY of some length"


@pytest.fixture(scope="module")
def service():
    """One that knows AGiXT's secret."""
    s = Service(start=False)
    try:
        path = s.dir / "agixt.secret"
        path.write_text(SECRET + "\n")
        path.chmod(0o600)
        if helpers.is_root():
            os.chown(path, s.state_dir.stat().st_uid, s.state_dir.stat().st_gid)
        s.configure({"rate_limiting": {"enabled": False}, "endpoints": {"api": {"agixt_secret_file": str(path)}}})
        s.start()
        yield s
    finally:
        s.close()


def keys_command(s, *words):
    done = subprocess.run([helpers.AGENT, "keys", *words, "--config", s.config_path], capture_output=True, text=True,
                          env=s.env, timeout=60)
    assert done.returncode == 0, done
    return done.stdout.strip()


def raw(s, value, path="/profiles", **more):
    return s.request("GET", path, key=None, headers={"Authorization": value, **more})


def audited(s):
    return [json.loads(line) for line in (s.log_dir / "audit.jsonl").read_text().splitlines()]


# ---- keys ----

def test_who_shows_no_key_or_a_wrong_one_is_told_so_and_nothing_else(service):
    answer = service.request("GET", "/profiles", key=None)
    assert error_of(answer, 401, "unauthenticated") and answer.headers["WWW-Authenticate"].startswith("Bearer")
    changed = service.key[:-1] + ("A" if service.key[-1] != "A" else "Q")
    for value in ("Bearer " + changed, "Bearer", "Bearer ", "Basic " + service.key, "Bearer sa_", service.key + "x",
                  "Bearer %s %s" % (service.key, service.key),
                  service.key.lower(), "x" * 5000):
        answer = raw(service, value)
        assert error_of(answer, 401, "unauthenticated"), value
        assert service.key not in answer.text and "invalid_token" in answer.headers["WWW-Authenticate"]
    assert service.key not in service.logs


@pytest.mark.parametrize("before", ["Bearer ", "bearer ", ""])
def test_a_key_is_good_with_and_without_the_word_bearer(service, before):
    assert raw(service, before + service.key).status_code == 200


def test_the_command_line_s_keys_hold_from_the_next_request_on(service):
    token = keys_command(service, "create", "--name", "by-hand", "--role", "read")
    assert service.request("GET", "/profiles", key=token).status_code == 200
    keys_command(service, "revoke", "by-hand")
    assert "revoked" in error_of(service.request("GET", "/profiles", key=token), 401, "unauthenticated")["message"]


def test_a_key_expires(service):
    for seconds in (1, 4, 16, 64):  # the least within which this machine has the answer
        begin, token = time.monotonic(), service.new_key("read", expires_in_seconds=seconds)
        status = service.request("GET", "/profiles", key=token).status_code
        if time.monotonic() - begin < seconds:
            break
    assert status == 200
    assert helpers.poll(lambda: service.request("GET", "/profiles", key=token).status_code == 200,
                        seconds + 60) is False
    assert "expired" in error_of(service.request("GET", "/profiles", key=token), 401, "unauthenticated")["message"]


def test_a_key_is_created_shown_once_listed_and_revoked(service):
    answer = service.request("POST", "/keys",
                             json={"name": "ci", "role": "run", "agents": ["a1", "a2"], "levels": ["high"]})
    made = answer.json()
    assert answer.status_code == 201 and answer.headers["Location"].endswith("/keys/" + made["id"])
    token = made.pop("token")
    listed = service.request("GET", "/keys")
    assert token not in listed.text and made in listed.json()["keys"]
    error_of(service.request("POST", "/keys", json={"name": "ci", "role": "run"}), 409, "conflict")
    answer = service.request("DELETE", "/keys/ci")
    assert answer.status_code == 200 and answer.json()["revoked_at"]
    error_of(service.request("DELETE", "/keys/ci"), 404, "not_found")
    error_of(service.request("GET", "/profiles", key=token), 401, "unauthenticated")
    actions = [e["event"]["action"] for e in audited(service)]
    assert "key-created" in actions and "key-revoked" in actions
    assert token not in (service.log_dir / "audit.jsonl").read_text()


@pytest.mark.parametrize("body, said", [
    ({"role": "run"}, "name"), ({"name": "n"}, "role"), ({"name": "n", "role": "root"}, "role"),
    ({"name": "n", "role": "run", "levels": ["huge"]}, "levels"),
    ({"name": "n", "role": "run", "expires_in_seconds": 0}, "expires_in_seconds"),
    ({"name": "n", "role": "run", "agents": ["a\nb"]}, "agent"),
    ({"name": "n\u0007", "role": "run"}, "name"), ({"name": "n", "role": "admin", "agents": ["a"]}, "role run"),
    ({"name": "n", "role": "run", "x": 1}, "x"),
])
def test_a_key_that_is_none_is_not_made(service, body, said):
    def keys():
        """Without the time of each one's last use."""
        return [(k["id"], k["name"]) for k in service.request("GET", "/keys").json()["keys"]]

    before = keys()
    answer = service.request("POST", "/keys", json=body)
    assert answer.status_code in (400, 422) and said in answer.text, answer.text
    assert keys() == before


# ---- AGiXT ----

def token_of(user="user-1", secret=SECRET, algorithm="HS256", **more):
    now = int(time.time())
    claims = {"sub": user, "email": "user@example.com", "admin": False, "exp": now + 600, "iat": now, **more}
    return jwt.encode({k: v for k, v in claims.items() if v is not None}, secret, algorithm=algorithm)


def test_a_user_of_agixt_runs_code_and_sees_only_what_is_theirs(service):
    one, two = token_of("user-1"), token_of("user-2")
    assert raw(service, one).status_code == 200  # AGiXT's SDK sends it without «Bearer»
    execution = service.submit("print('mine')", key=one)
    assert service.finished(execution, key=one)["key_id"] == "agixt:user-1"
    assert service.request("GET", "/executions/" + execution, key=two).status_code in (403, 404)
    error_of(service.request("GET", "/keys", key=token_of(admin=True)), 403, "forbidden")


def test_a_token_that_agixt_did_not_make_is_refused(service):
    for token in (token_of(exp=int(time.time()) - 1), token_of(exp=None), token_of(secret="x" * 32),
                  token_of(algorithm="HS512"),
                  token_of(secret=None, algorithm="none"), token_of(user=None), token_of()[:-2], "a.b.c"):
        error_of(raw(service, "Bearer " + token), 401, "unauthenticated")
    assert service.request("GET", "/keys").status_code == 200  # keys are good all the same


def test_when_a_key_was_used_last_is_said_at_once(service):
    """The store is told of it once a minute; whoever lists keys is not to wait for that."""
    used, unused = service.new_key("run", "used-now"), service.new_key("run", "used-never")
    assert used != unused and service.request("GET", "/sessions", key=used).status_code == 200
    said = {k["name"]: k for k in service.request("GET", "/keys").json()["keys"]}
    assert said["used-now"]["last_used_at"] >= said["used-now"]["created_at"]
    assert said["used-never"]["last_used_at"] is None and said["first"]["last_used_at"]
