"""Daytona's clients (docs/daytona.md).

Its own client from npm, unchanged, runs the cases of tests/daytona/client.mjs; and what no client should send is
refused in the protocol's own words.
"""
import json
import re
import shutil
import socket
import subprocess

import helpers
import pytest
from service import Service

PACKAGES = helpers.ROOT / "tests/daytona"
SCRIPT = PACKAGES / "client.mjs"


@pytest.fixture(scope="module")
def service():
    with Service({"rate_limiting": {"enabled": False}}) as s:
        s.run_key = s.new_key("run")
        yield s


@pytest.fixture(scope="module")
def sandbox(service):
    s = Sandbox(service)
    yield s
    s.end()


class Sandbox:
    def __init__(self, service, **body):
        self.service, self.key = service, service.run_key
        answer = service.outside("POST", "/api/sandbox", key=self.key, json={"labels": {}, **body})
        assert answer.status_code == 200, answer.text
        self.told = answer.json()
        self.id = self.told["id"]

    def control(self, method, path="", key=None, **more):
        return self.service.outside(method, "/api/sandbox/" + self.id + path, key=key or self.key, **more)

    def ask(self, method, path, key=None, **more):
        return self.service.outside(method, "/toolbox/%s%s" % (self.id, path), key=key or self.key, **more)

    def execute(self, command, **more):
        return self.ask("POST", "/process/execute", json={"command": command, **more})

    def end(self):
        assert self.control("DELETE").json()["state"] == "destroyed"


def executions(service):
    return [e["execution_id"] for e in service.request("GET", "/executions?limit=5").json()["executions"]]


def said(answer):
    """-> status and source of an error, which has words, too"""
    told = answer.json()
    assert told["message"] and told["statusCode"] == answer.status_code, answer.text
    return answer.status_code, told["source"].removeprefix("DAYTONA_")


# ---- its own client ----

def test_daytonas_own_client_works(service):
    node = shutil.which("node")
    if not node or not (PACKAGES / "node_modules/@daytona/sdk").exists():
        helpers.skip("node, or tests/daytona/node_modules, is missing (npm ci --ignore-scripts, which ./check does)")
    names = re.findall(r"^  async '([^']+)'", SCRIPT.read_text(), re.M)
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(service.dir / "home"),
           "DAYTONA_API_URL": service.url + "/api", "DAYTONA_API_KEY": service.run_key}
    done = subprocess.run([node, SCRIPT], capture_output=True, text=True, timeout=170, env=env)
    told = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    failed = [t for t in told if t["error"]]
    assert not failed, "\n".join("%(name)s: %(error)s" % t for t in failed)
    assert done.returncode == 0 and sorted(t["name"] for t in told) == sorted(names), done


# ---- the same service as every other client's ----

def test_labels_name_the_agent_and_the_level_and_no_other_key_sees_it(service):
    own = Sandbox(service, labels={"agent_id": "d", "risk_level": "medium"}, autoStopInterval=2)
    session = service.request("GET", "/sessions/" + own.id).json()
    assert (session["agent_id"], session["risk_level"]) == ("d", "medium"), session
    assert own.told["labels"] == {"agent_id": "d", "risk_level": "medium"} and own.told["autoStopInterval"] == 2
    assert own.ask("POST", "/process/session", json={"sessionId": "shell"}).status_code == 201
    for key in (service.new_key("run"), service.key):
        assert service.outside("GET", "/api/sandbox", key=key).json()["items"] == []
        for answer in (own.control("GET", key=key), own.control("DELETE", key=key),
                       own.control("POST", "/stop", key=key),
                       own.ask("POST", "/process/session", key=key, json={"sessionId": "s"}),
                       own.ask("POST", "/process/execute", key=key, json={"command": "echo"}),
                       own.ask("POST", "/process/session/shell/exec", key=key, json={"command": "echo"}),
                       own.ask("DELETE", "/process/session/shell", key=key),
                       own.ask("GET", "/files", key=key)):
            assert said(answer)[0] in (403, 404), answer.text  # 403: an admin's key may look at it
    assert own.ask("GET", "/process/session/shell").status_code == 200
    assert said(own.ask("GET", "/files", key="sa_" + "x" * 43)) == (401, "DAEMON")
    assert said(service.outside("POST", "/api/sandbox", key=service.new_key("read"), json={})) == (403, "API")
    own.end()


def test_a_sandbox_in_use_lives_on_and_one_with_a_ttl_does_not(service):
    def expires(sandbox):
        return service.request("GET", "/sessions/" + sandbox.id).json()["expires_at"]
    used, short = Sandbox(service, autoStopInterval=5), Sandbox(service, ttlMinutes=1)
    before = expires(used), expires(short)
    for s in (used, short):
        assert s.execute("echo hi").json()["result"] == "hi\n"
    assert expires(used) > before[0] and expires(short) == before[1]
    used.end()
    short.end()


# ---- what no client should send ----

BAD_CREATES = (b"{", b"[]", {"labels": 1}, {"labels": {"a": 1}}, {"env": []}, {"autoStopInterval": "x"}, {"name": 5},
               {"ttlMinutes": -1}, {"name": "x" * 200}, {"networkBlockAll": "yes"}, {"volumes": []}, {"secrets": []},
               {"networkAllowList": "10.0.0.0/8"}, {"buildInfo": {}}, {"labels": {"risk_level": "none"}},
               {"labels": {"a": "b\0"}}, {"labels": {"risk_level": "low\0"}}, {"name": "a\0"})
BAD_CALLS = (
    ("POST", "/process/execute", {}), ("POST", "/process/execute", {"command": 1}),
    ("POST", "/process/execute", {"command": "x", "envs": []}),
    ("POST", "/process/execute", {"command": "x", "cwd": 1}),
    ("POST", "/process/execute", {"command": "x", "timeout": "1"}),
    ("POST", "/process/execute", {"command": "x", "cwd": "../.."}),
    ("POST", "/process/execute", {"command": "x\0"}), ("POST", "/process/execute", {"command": "x", "cwd": "a\0"}),
    ("POST", "/process/session", {"sessionId": "a\0"}), ("POST", "/files/bulk-download", {"paths": ["a\0"]}),
    ("POST", "/process/code-run", {"code": "x"}),
    ("POST", "/process/code-run", {"code": "x", "language": "typescript"}),
    ("POST", "/process/code-run", {"code": "x", "language": "python", "argv": "y"}),
    ("POST", "/process/session", {}), ("POST", "/process/session", {"sessionId": ""}),
    ("POST", "/process/session", {"sessionId": "x" * 200}), ("POST", "/files/bulk-download", {"paths": "x"}),
    ("POST", "/files/bulk-download", {"paths": [1]}), ("POST", "/files/folder", None),
    ("POST", "/files/move?source=a", None), ("GET", "/files/search", None), ("GET", "/files?depth=x", None),
    ("GET", "/files/info?path=../x", None), ("DELETE", "/files?path=/workspace", None),
    ("GET", "/files/download?path=/workspace", None))


def test_wrong_types_are_refused_and_nothing_begins(service, sandbox):
    before = len(service.outside("GET", "/api/sandbox", key=service.run_key).json()["items"])
    for body in BAD_CREATES:
        data = body if isinstance(body, bytes) else json.dumps(body)
        answer = service.outside("POST", "/api/sandbox", key=service.run_key, data=data)
        assert said(answer)[0] in (400, 422), (body, answer.text)
    assert len(service.outside("GET", "/api/sandbox", key=service.run_key).json()["items"]) == before
    known = executions(service)
    for method, path, body in BAD_CALLS:
        answer = sandbox.ask(method, path, json=body)
        assert said(answer)[0] in (400, 422) and said(answer)[1] == "DAEMON", (path, body, answer.text)
    assert said(service.outside("GET", "/api/sandbox?labels=[", key=service.run_key)) == (400, "API")
    assert executions(service) == known


def test_what_is_not_there_is_not_found(service, sandbox):
    own = {"X-Daytona-Source": "sdk-typescript"}
    for method, path in (("GET", "/api/sandbox/nobody"), ("POST", "/api/sandbox/sess-000000000000000000000000/start"),
                         ("PUT", "/api/sandbox/%s/labels" % sandbox.id), ("GET", "/api/volumes"),
                         ("POST", "/api/sandbox/%s/fork" % sandbox.id)):
        assert said(service.outside(method, path, key=sandbox.key, headers=own, json={})) == (404, "API"), path
    for method, path in (("GET", "/git/status"), ("GET", "/process/session/none"), ("PATCH", "/files"), ("GET", ""),
                         ("GET", "/process/session/none/command/x/logs"), ("GET", "/files/download?path=none")):
        assert said(sandbox.ask(method, path)) == (404, "DAEMON"), path
    for path, code in (("/process/session/files", None), ("/files/info?path=none", "FILE_NOT_FOUND")):
        assert sandbox.ask("GET", path).json().get("code") == code, path
    assert service.outside("GET", "/api/volumes", key=sandbox.key).json()["error"]["code"] == "not_found"  # as ever


def test_bad_uploads_write_nothing(sandbox):
    def upload(data, type="multipart/form-data; boundary=b"):
        return said(sandbox.ask("POST", "/files/bulk-upload", data=data, headers={"Content-Type": type}))
    path = b'--b\r\nContent-Disposition: form-data; name="files[0].path"\r\n\r\nbad\r\n'
    file = b'--b\r\nContent-Disposition: form-data; name="files[0].file"; filename="x"\r\n\r\nx\r\n'
    for data, type in ((b"", None), (path + file, None), (path + file + b"--b", None), (file + b"--b--", None),
                       (path + b"--b--", None), (path + file + b"--b--", "text/plain"), (b"x" + path + file, None),
                       (path + file + path.replace(b"bad", b"../x") + file + b"--b--", None)):
        assert upload(data, **({"type": type} if type else {}))[0] in (400, 403), data
    assert said(sandbox.ask("GET", "/files/info?path=bad")) == (404, "DAEMON")


def test_a_command_that_runs_is_found_in_its_own_sandbox_only(service, sandbox):
    other = Sandbox(service)
    for s in (sandbox, other):
        assert s.ask("POST", "/process/session", json={"sessionId": "own"}).status_code == 201
    command = sandbox.ask("POST", "/process/session/own/exec", json={"command": "sleep 60", "runAsync": True}).json()
    path = "/process/session/own/command/" + command["cmdId"]
    for suffix in ("", "/logs"):
        assert sandbox.ask("GET", path + suffix).status_code == 200
        assert said(other.ask("GET", path + suffix)) == (404, "DAEMON")
    assert sandbox.ask("DELETE", "/process/session/own").status_code == 204
    other.end()


def test_a_client_that_vanishes_ends_its_command_and_half_requests_keep_no_one_out(service, sandbox):
    address = service.url.removeprefix("http://")
    body = json.dumps({"command": "sleep 1000"}).encode()
    head = ("POST /toolbox/%s/process/execute HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Length: %d"
            "\r\n\r\n" % (sandbox.id, address, sandbox.key, len(body))).encode()

    def connect(data):
        s = socket.create_connection(address.split(":"), timeout=60)
        s.sendall(data)
        return s

    def jobs():
        return service.request("GET", "/sessions/" + sandbox.id).json()["jobs_running"]
    idle = jobs()
    half = [connect((head + body)[:40 + 8 * i]) for i in range(20)]
    with connect(head + body):
        assert not helpers.poll(lambda: jobs() <= idle, 60), "it does not run"
    assert not helpers.poll(lambda: jobs() > idle, 60), "it runs on without a client"
    assert sandbox.execute("echo in").json()["result"] == "in\n"
    for s in half:
        s.close()


def test_it_can_be_switched_off_and_on_while_the_service_runs(service, sandbox):
    def switch(is_on):
        service.configure({"rate_limiting": {"enabled": False}, "endpoints": {"daytona": {"enabled": is_on}}})
        service.hup()
        assert not helpers.poll(lambda: (sandbox.control("GET").status_code == 200) != is_on, 60)
    try:
        switch(False)
        assert sandbox.control("GET").json()["message"] == "endpoints.daytona.enabled is false"
    finally:
        switch(True)
