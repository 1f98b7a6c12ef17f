"""The first key and the last, a service without keys, and one beyond loopback: each test starts its own."""
import json
import os
import re
import socket

import helpers
import jwt
from service import error_of


def audited(s):
    return [json.loads(line) for line in (s.log_dir / "audit.jsonl").read_text().splitlines()]


def test_the_first_key_is_made_once(make_service):
    s = make_service()
    first = s.key
    assert s.stdout.count("sa_") == 1 and [e for e in audited(s) if e["event"]["action"] == "key-created"]
    assert first not in (s.log_dir / "audit.jsonl").read_text()
    s.stop()
    s.start()
    assert "sa_" not in s.stdout and s.request("GET", "/keys", key=first).status_code == 200


def fails_to_start(s, said):
    s.start(wait=False)
    assert s.wait() != 0
    assert said in s.logs and "sa_" not in s.stdout + s.logs, s.logs + s.stdout


def test_a_first_start_that_fails_late_makes_no_key_and_the_next_one_shows_it(make_service):
    """The port is taken, and a key of TLS cannot be read: whoever mends that has never seen a key, and must see one."""
    s = make_service(start=False)
    with socket.create_server(("127.0.0.1", 0)) as other:
        s.options = ["--listen", "127.0.0.1:%d" % other.getsockname()[1]]
        fails_to_start(s, "in use")
    s.options = []
    s.configure({"endpoints": {"api": {"tls": {"certificate": str(s.dir / "no.pem"), "key": str(s.dir / "no.key")}}}})
    fails_to_start(s, "no.pem")
    assert not [e for e in audited(s) if e["event"]["action"] == "key-created"]
    s.configure({})
    s.start()
    assert s.key and s.request("GET", "/keys").status_code == 200
    assert len([e for e in audited(s) if e["event"]["action"] == "key-created"]) == 1


def test_a_first_start_beyond_loopback_makes_its_key(make_service):
    s = make_service(options=["--listen", "0.0.0.0:0"], start=False)
    s.start(wait=False)
    assert not helpers.poll(lambda: "listening on" not in s.stdout, 60), s.logs
    assert s.stdout.count("sa_") == 1
    s.url = "http://127.0.0.1:%s" % re.search(r"listening on http://0.0.0.0:(\d+)", s.stdout).group(1)
    s.key = re.search(r"sa_[A-Za-z0-9_-]{43}", s.stdout).group(0)
    assert s.request("GET", "/keys").status_code == 200


def test_the_last_admin_key_stays(make_service):
    s = make_service()
    assert "create another" in error_of(s.request("DELETE", "/keys/first"), 409, "conflict")["details"]["remedy"]
    expiring = s.new_key("admin", name="second", expires_in_seconds=3600)
    assert s.request("DELETE", "/keys/first", key=expiring).status_code == 200
    error_of(s.request("DELETE", "/keys/second", key=expiring), 409, "conflict")
    assert s.request("POST", "/keys", key=expiring, json={"name": "third", "role": "admin"}).status_code == 201
    assert s.request("DELETE", "/keys/second", key=expiring).status_code == 200


def test_without_authentication_this_machine_runs_code_and_administrates_nothing(make_service):
    s = make_service({"security": {"require_authentication": False}, "rate_limiting": {"enabled": False}})
    assert s.run("print(1)", key=None)["stdout"] == "1\n"
    error_of(s.request("GET", "/keys", key=None), 403, "forbidden")
    # who shows a key shows a good one
    error_of(s.request("GET", "/profiles", key="sa_" + "A" * 43), 401, "unauthenticated")
    for header in ("X-Forwarded-For", "Forwarded", "X-Real-IP"):  # through a proxy
        error_of(s.request("GET", "/profiles", key=None, headers={header: "192.0.2.1"}), 401, "unauthenticated")


def test_without_the_secret_tokens_of_agixt_are_nobody_s(make_service):
    s = make_service()
    token = jwt.encode({"sub": "user-1", "exp": 2000000000}, "", algorithm="HS256")
    error_of(s.request("GET", "/profiles", key=token), 401, "unauthenticated")


def test_beyond_loopback_nobody_listens_without_a_key_that_is_good(make_service):
    s = make_service()
    for seconds in (1, 4, 16, 64):  # it may have expired before it was shown
        other = s.request("POST", "/keys",
                          json={"name": "of %d s" % seconds, "role": "admin",
                                "expires_in_seconds": seconds}).json()["token"]
        if s.request("DELETE", "/keys/first", key=other).status_code == 200:
            break
    assert not helpers.poll(lambda: s.request("GET", "/profiles", key=other).status_code == 200, seconds + 60)
    s.stop()
    for host in ("0.0.0.0", "127.0.0.1.example"):  # a name that looks like loopback is none
        s.options = ["--listen", host + ":0"]
        s.start(wait=False)
        assert s.wait() != 0
        assert host + " is beyond loopback, and there is no key" in s.logs and "sa_" not in s.stdout, s.logs + s.stdout


def test_a_secret_of_agixt_that_others_can_read_or_guess_is_refused(make_service):
    for content, mode, said in (("x" * 32, 0o644, "others can read"), ("short", 0o600, "16 to 1023")):
        s = make_service(start=False)
        path = s.dir / "secret"
        path.write_text(content)
        path.chmod(mode)
        if helpers.is_root():
            os.chown(path, s.state_dir.stat().st_uid, s.state_dir.stat().st_gid)
        s.configure({"endpoints": {"api": {"agixt_secret_file": str(path)}}})
        s.start(wait=False)
        assert s.wait() != 0 and said in s.logs, s.logs
