"""backend remote: a run that another sandboxd runs (docs/remote.md). Two services on the loopback, with TLS."""
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import threading
import time

import helpers
import pytest
from service import USER, Service


def make_certificate(place, name):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", place / (name + ".key"),
                    "-out", place / (name + ".pem")], check=True, capture_output=True)


class Pair:
    """`far` runs what `near` is asked for, at the levels low and high; medium stays."""

    def __init__(self, place):
        make_certificate(place, "far")
        make_certificate(place, "other")
        self.far = Service(start=False)
        self.near = Service(start=False)
        for name in ("far.pem", "far.key"):
            self.give(self.far, place / name)
        for name in ("far.pem", "other.pem"):
            self.give(self.near, place / name)
        tls = {"certificate": str(self.far.dir / "far.pem"), "key": str(self.far.dir / "far.key")}
        self.far.configure({"endpoints": {"api": {"tls": tls}}, "rate_limiting": {"enabled": False}})
        self.verify = self.far.session.verify = str(place / "far.pem")
        self.far.start()
        key = self.far.new_key("run", allow_risk_override=True)
        self.secret = key["key"] if isinstance(key, dict) else key
        self.near.start()
        self.aim()

    @staticmethod
    def give(service, path, mode=0o600):
        shutil.copy(path, service.dir / path.name)
        os.chmod(service.dir / path.name, mode)
        if helpers.is_root():
            user = pwd.getpwnam(USER)
            os.chown(service.dir / path.name, user.pw_uid, user.pw_gid)

    def aim(self, **more):
        """What near is told of far; an argument of None leaves it out."""
        key = self.near.dir / "far-key"
        if not key.exists():
            key.write_text(self.secret + "\n")
            self.give_mode(key)
        remote = {"address": self.far.url, "key_file": str(key), "certificate": str(self.near.dir / "far.pem"),
                  "levels": ["low", "high"], "connect_timeout": "2s", **more}
        self.near.configure({"sandbox": {"backend": "remote",
                                         "remote": {k: v for k, v in remote.items() if v is not None}},
                             "rate_limiting": {"enabled": False}})
        self.near.stop()
        self.near.start()

    @staticmethod
    def give_mode(path):
        path.chmod(0o600)
        if helpers.is_root():
            user = pwd.getpwnam(USER)
            os.chown(path, user.pw_uid, user.pw_gid)

    def execute(self, code, *args, **more):
        return self.near.execute(code, *args, key=self.near.override(), **more)

    def run(self, code, *args, **more):
        return self.near.run(code, *args, key=self.near.override(), **more)

    def close(self):
        self.near.close()
        self.far.close()


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    p = Pair(tmp_path_factory.mktemp("certificates"))
    yield p
    p.close()


def far_result(pair, result):
    return pair.far.execution(result["isolation"]["remote"]["execution_id"])


def test_a_run_is_the_other_machines(pair):
    r = pair.run("import sys\nprint(6 * 7)\nprint('e', file=sys.stderr)\nsys.exit(3)", risk_level="low",
                      agent_id="traveller")
    assert (r["backend"], r["stdout"], r["stderr"], r["exit_code"]) == ("remote", "42\n", "e\n", 3), r
    assert r["isolation"]["remote"]["address"] == pair.far.url
    assert r["isolation"]["pid_ns"] is True and r["isolation"]["limits"]["memory_bytes"] > 0, r["isolation"]
    there = far_result(pair, r)
    assert there["agent_id"] == "traveller" and there["risk_level"] == "low"
    assert there["result"]["stdout"] == "42\n"


def test_high_goes_there_as_well(pair):
    r = pair.run("print(2 ** 10)", risk_level="high")
    assert (r["stdout"], r["risk_level"], r["isolation"]["remote"]["risk_level"]) == ("1024\n", "high", "high"), r


def test_a_level_that_is_not_named_stays(pair):
    r = pair.run("print(1)", risk_level="medium")
    assert r["backend"] == "native" and "remote" not in r["isolation"]


def program(body, pair):
    answer = pair.near.request("POST", "/execute", key=pair.near.override(), json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_bytes_arguments_files_and_input_travel(pair):
    code = ("import sys, helper\nsys.stdout.buffer.write(bytes([255, 0, 10]))\n"
            "print(sys.argv[1:], helper.NAME, sys.stdin.read())")
    r = program({"language": "python", "risk_level": "low", "args": ["x", "y z"], "stdin": "typed",
                 "files": [{"path": "a.py", "content": code},
                           {"path": "helper.py", "content": "NAME = 'there'"}]}, pair)
    assert r["exit_code"] == 0, r
    assert r["stdout"].endswith("['x', 'y z'] there typed\n"), r["stdout"]


def test_a_compiled_program_is_compiled_there(pair):
    if not shutil.which("go"):
        pytest.skip("go is not installed")
    r = pair.run('package main\nimport "fmt"\nfunc main() { fmt.Println("go") }', "go", risk_level="low")
    assert (r["stdout"], r["backend"]) == ("go\n", "remote"), r


def test_a_deadline_is_told_and_both_know_the_violation(pair):
    r = pair.run("import time\ntime.sleep(60)", risk_level="low", limits={"timeout": 1}, agent_id="slow")
    assert r["reason"] == "timeout", r
    r = pair.run("x = []\nwhile True:\n    x.append(bytearray(1 << 20))", risk_level="low", agent_id="greedy")
    assert r["reason"] == "oom", r
    assert [v["type"] for v in r["violations"]] == ["memory_limit"]
    assert [v["type"] for v in far_result(pair, r)["result"]["violations"]] == ["memory_limit"]


def test_output_comes_as_it_is_written_and_a_kill_goes_through(pair):
    number = pair.near.submit("import time\nprint('now', flush=True)\ntime.sleep(300)", risk_level="low",
                              agent_id="stopped", key=pair.near.override())
    assert "now\n" in (e.get("data") for e in pair.near.events(number)), "while it runs"
    pair.near.request("DELETE", "/executions/" + number)
    ended = pair.near.finished(number)
    assert ended["result"]["reason"] == "killed", ended
    there = far_result(pair, ended["result"])
    assert there["state"] == "finished" and there["result"]["reason"] == "killed", there


@pytest.mark.parametrize("more, word", [
    ({"backend": "native"}, "another machine only"),
    ({"volumes": "gate"}, "volumes"),
])
def test_what_cannot_travel_is_refused(pair, more, word):
    if more.get("volumes"):
        more = {"volumes": [{"host": str(pair.near.directory("gates/" + word)), "inside": "/data"}]}
    answer = pair.execute("print(1)", risk_level="high", **more)
    assert answer.status_code != 200 and word in answer.text, answer.text


def test_a_session_stays_or_is_refused(pair):
    answer = pair.near.request("POST", "/sessions", key=pair.near.override(),
                               json={"risk_level": "low", "agent_id": "sessions"})
    assert answer.status_code != 201 and "sessions" in answer.text, answer.text


def refused(pair, *words):
    answer = pair.execute("print('here')", risk_level="high")
    text = answer.text
    assert answer.status_code >= 500 and "here\\n" not in text, text
    for word in words:
        assert word in text, text
    assert pair.secret not in text + pair.near.logs


def test_a_stranger_in_its_place_gets_nothing(pair):
    """A server with another certificate than the one that was pinned."""
    pair.aim(certificate=str(pair.near.dir / "other.pem"))
    refused(pair, "ertificate")
    pair.aim()


def test_one_that_is_away_is_an_error_and_no_run_here(pair):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        pair.aim(address="https://127.0.0.1:%d" % closed.getsockname()[1])
        before = pair.near.request("GET", "/agents/patient").json().get("trust", 0.5)
        for _ in range(3):
            assert pair.execute("print('here')", risk_level="high", agent_id="patient").status_code >= 500
        assert pair.near.request("GET", "/agents/patient").json()["trust"] == before, "not the agent's fault"
        refused(pair, "remote", "nothing ran on this machine")
    pair.aim()


def test_a_key_that_others_may_read_is_not_used(pair):
    (pair.near.dir / "far-key").chmod(0o644)
    refused(pair, "sandbox.remote.key_file")
    (pair.near.dir / "far-key").chmod(0o600)
    assert pair.run("print(1)", risk_level="high")["stdout"] == "1\n"


def test_one_that_dies_meanwhile_is_an_error(pair):
    answers = []
    asking = threading.Thread(target=lambda: answers.append(
        pair.execute("import time\ntime.sleep(100)", risk_level="low")))
    asking.start()
    assert not helpers.poll(lambda: not pair.far.request("GET", "/executions?state=running").json()["executions"], 60)
    pair.far.kill9()
    asking.join(60)
    assert not asking.is_alive() and answers[0].status_code >= 500, answers
    pair.far.session.verify = pair.verify
    pair.far.start()
    pair.aim()
    assert pair.run("print(1)", risk_level="high")["stdout"] == "1\n"


def read_body(peer):
    """-> the body of one request."""
    with peer.makefile("rb") as coming:
        size = 0
        for line in iter(coming.readline, b"\r\n"):
            name, _, value = line.partition(b":")
            size = int(value) if name.lower() == b"content-length" else size
            if not line:
                break
        return coming.read(size)


def test_the_command_line_goes_there_too(pair, tmp_path):
    """With its own state and log; a level that is not named, and one without a backend, stay."""
    shutil.copy(pair.near.dir / "far-key", tmp_path / "far-key")
    shutil.copy(pair.verify, tmp_path / "far.pem")
    (tmp_path / "far-key").chmod(0o600)
    config = tmp_path / "config.yaml"
    config.write_text(helpers.to_yaml({"sandbox": {
        "paths": {"state_dir": str(tmp_path / "state"), "log_dir": str(tmp_path / "log")},
        "remote": {"address": pair.far.url, "key_file": str(tmp_path / "far-key"), "levels": ["low"],
                   "certificate": str(tmp_path / "far.pem")}}}))
    (tmp_path / "code.py").write_text("import sys\nprint(sys.stdin.read().upper())\nsys.exit(7)\n")
    words = [str(helpers.AGENT), "run", "--config", str(config), "--json", "--language", "python",
             "--code", str(tmp_path / "code.py"), "--stdin", "-"]
    for more, backend in ((["--risk-level", "low", "--backend", "remote"], "remote"),
                          (["--risk-level", "low"], "native"),
                          (["--risk-level", "medium", "--backend", "remote"], "native")):
        done = subprocess.run(words + more, input="typed", capture_output=True, text=True,
                              env={"PATH": os.environ["PATH"], "HOME": str(tmp_path),
                                   "XDG_CACHE_HOME": str(tmp_path / "cache")})
        r = json.loads(done.stdout)
        assert (r["backend"], done.returncode, r["stdout"]) == (backend, 7, "TYPED\n"), done
        assert ("remote" in r["isolation"]) == (backend == "remote"), r


def test_what_is_planned_is_told_as_it_is(pair):
    """A dry run says where the run would go, and the plan that is kept is no sandbox of this machine."""
    r = pair.run("print(1)", risk_level="low")
    path = "/executions/%s/artifacts/plan.json" % r["execution_id"]
    assert not helpers.poll(lambda: pair.near.request("GET", path).status_code != 200, 60)
    plan = pair.near.request("GET", path).json()
    assert plan["remote"]["address"] == pair.far.url and "mounts" not in plan
    done = subprocess.run([str(helpers.AGENT), "run", "--config", str(pair.near.config_path), "--dry-run",
                           "--risk-level", "low", "--language", "python", "-c", "print(1)"],
                          capture_output=True, text=True, env={"PATH": os.environ["PATH"], "HOME": "/nowhere"})
    assert done.returncode == 0 and "the run goes to " + pair.far.url in done.stdout, done


def test_a_named_authority_is_the_only_one(pair):
    """Where far's certificate is one that the system trusts, and another one is named. In mounts of its own."""
    ask = ("mount -t tmpfs none /etc/ssl/certs && cp %s /etc/ssl/certs/far.pem && exec %s ps --json"
           % (pair.verify, helpers.AGENT))
    if subprocess.run(["unshare", "-Urm", "mount", "-t", "tmpfs", "none", "/etc/ssl/certs"],
                      capture_output=True).returncode:
        pytest.skip("no mounts of one's own here")
    other = os.path.join(os.path.dirname(pair.verify), "other.pem")
    for named, code in ((None, 0), (other, 125), (pair.verify, 0)):
        env = {"PATH": os.environ["PATH"], "HOME": "/nowhere", "SANDBOX_AGENT_URL": pair.far.url,
               "SANDBOX_AGENT_API_KEY": pair.far.key, **({"SANDBOX_AGENT_CA_FILE": named} if named else {})}
        done = subprocess.run(["unshare", "-Urm", "sh", "-c", ask], env=env, capture_output=True, text=True)
        assert done.returncode == code and (code == 0 or "access rights" not in done.stderr), (named, done)


class Liar:
    """Answers every request with these bytes, and then with more of them for ever, or not at all."""

    def __init__(self, first, again=b"", status="200 OK", kind="text/event-stream"):
        self.first, self.again = first, again
        self.head = "HTTP/1.1 %s\r\nContent-Type: %s\r\nConnection: close\r\n\r\n" % (status, kind)
        self.heard = b""
        self.door = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:%d" % self.door.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                peer, _ = self.door.accept()
            except OSError:
                return
            threading.Thread(target=self.answer, args=(peer,), daemon=True).start()

    def answer(self, peer):
        with peer:
            try:
                self.heard = read_body(peer)
                peer.sendall(self.head.encode() + self.first)
                while self.again:
                    peer.sendall(self.again)
            except OSError:
                pass


@pytest.mark.parametrize("first, again", [
    (b"", b""),
    (b"data: {\n\n", b""),
    (b"data: []\n\n", b""),
    (b'data: {"type":"result","result":7}\n\n', b""),
    (b'data: {"type":"stdout","data_base64":"***"}\n\n', b""),
    (b"", b'data: {"type":"stdout","data":"' + b"x" * 60000 + b'"}\n\n'),
    (b"data: ", b"x" * 65536),
    (b'data: {"type":"result","result":{"reason":"completed","exit_code":70000,"isolation":[],"violations":7}}\n\n',
     b""),
])
def test_one_that_lies_is_an_error_or_nothing(pair, first, again):
    liar = Liar(first, again)
    pair.aim(address=liar.url, certificate=None)
    begun = time.monotonic()
    answer = pair.execute("print(1)", risk_level="high")
    if b"completed" in first:
        assert answer.json()["exit_code"] is None and answer.json()["isolation"] is None
    else:
        assert answer.status_code >= 500, answer.text[:2000]
    assert time.monotonic() - begun < 120, "bounded"
    liar.door.close()
    pair.near.signal(signal.SIGHUP)
    pair.aim()
    assert pair.run("print(1)", risk_level="high")["stdout"] == "1\n"


def lie(pair, liar, code="print(1)", **more):
    """-> what near answers when `liar` stands in the place of far."""
    pair.aim(address=liar.url, certificate=None)
    answer = pair.execute(code, risk_level="high", **more)
    liar.door.close()
    pair.aim()
    return answer


def result_of(**more):
    result = {"reason": "completed", "exit_code": 0, "isolation": {"pid_ns": True}, **more}
    return b"data: " + json.dumps({"type": "result", "result": result}).encode() + b"\n\n"


@pytest.mark.parametrize("isolation", [{"pid_ns": True}, None])
def test_a_name_that_is_none_does_not_keep_a_run_from_the_books(pair, isolation):
    """The store takes no name of any length: the run would never have been settled."""
    agent = "booked-%s" % bool(isolation)
    names = ["x" * 300, "", "two words\n", "hostile_write"]
    r = lie(pair, Liar(result_of(isolation=isolation, execution_id="\u00e9" * 300,
                                 violations=[{"type": n, "detail": "d", "at_ms": 1} for n in names])),
            "print('%s')  # known as bad from then on" % agent, agent_id=agent).json()
    assert [v["type"] for v in r["violations"]] == ["hostile_write"], r
    assert r["trust"] and r["trust"]["after"] < r["trust"]["before"], r["trust"]
    if isolation:
        assert r["isolation"]["remote"]["address"].startswith("http://127.0.0.1:"), "where it was is told"
        assert len([m for m in r["isolation"]["missing"] if "is not counted" in m]) == 3


@pytest.mark.parametrize("status, code, is_rule", [
    ("429 Too Many Requests", "rate_limited", False),
    ("429 Too Many Requests", "queue_full", False),
    ("401 Unauthorized", "unauthenticated", False),
    ("403 Forbidden", "policy_denied", True),
])
def test_a_busy_one_is_no_offence_of_the_agent(pair, status, code, is_rule):
    body = json.dumps({"error": {"code": code, "message": "not now", "details": {}}}).encode()
    answer = lie(pair, Liar(body, status=status, kind="application/json"), agent_id="waits")
    assert (answer.json()["error"]["code"] == "policy_denied") == is_rule, answer.text
    assert (answer.status_code == 403) == is_rule, answer.text
    if code == "unauthenticated":
        assert "sandbox.remote.key_file" in answer.text and "SANDBOX_AGENT_API_KEY" not in answer.text


def test_limits_of_the_level_here_go_along(pair):
    """The other side's level may give more: what the result calls granted is what was asked for there."""
    liar = Liar(result_of())
    r = lie(pair, liar, limits={"timeout": 86400}).json()
    sent = json.loads(liar.heard)["limits"]
    assert [c["granted"] for c in r["limits_clamped"] if c["field"] == "timeout"] == [sent["timeout"]], (r, sent)
    assert sent["memory"] > 0 and sent["cpu"] > 0, "the level's, where none was asked for"


def test_no_core_of_it_holds_the_key(pair):
    assert pair.run("print(1)", risk_level="high")["stdout"] == "1\n"
    pids = pair.near.pids("sandbox-remote")
    assert pids
    for pid in pids:
        line = [x for x in helpers.read("/proc/%d/limits" % pid).splitlines() if x.startswith("Max core file size")]
        assert line[0].split()[4:6] == ["0", "0"], line


def test_a_package_set_is_not_built_where_its_level_goes_away(pair):
    pair.aim()
    asked = pair.near.request("POST", "/packages", json={"name": "none", "python": "attrs==23.1.0"})
    assert asked.status_code == 202, asked.text

    def state():
        return pair.near.request("GET", "/packages/none").json()
    assert not helpers.poll(lambda: state().get("state") == "building", 60)
    assert "runs level low on another machine only" in state()["error"]["message"], state()
    assert pair.near.is_ready()
