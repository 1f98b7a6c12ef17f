"""E2B's clients (docs/e2b.md).

Its own packages from npm, unchanged, run the cases of tests/e2b/client.mjs; what its Python client sends is replayed;
and what no client should send is refused in the protocol's own words.
"""
import base64
import json
import re
import shutil
import socket
import struct
import subprocess

import helpers
import pytest
from service import Service

PACKAGES = helpers.ROOT / "tests/e2b"
SCRIPT = PACKAGES / "client.mjs"
START = "/process.Process/Start"
AGENT = "e2b-python-sdk/2.30.0"


@pytest.fixture(scope="module")
def service():
    with Service({"rate_limiting": {"enabled": False}}) as s:
        s.run_key = s.new_key("run")
        yield s


def e2b_form(key):
    """The same key as E2B's clients want to see one; docs/e2b.md has this line."""
    return "e2b_" + base64.urlsafe_b64decode(key[3:] + "=").hex()


# ---- its own packages ----

def test_e2bs_own_clients_work(service):
    node = shutil.which("node")
    if not node or not (PACKAGES / "node_modules/e2b").exists():
        helpers.skip("node, or tests/e2b/node_modules, is missing (npm ci --ignore-scripts, which ./check does)")
    names = re.findall(r"^  async '([^']+)'", SCRIPT.read_text(), re.M)
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(service.dir / "home"), "E2B_API_URL": service.url,
           "E2B_SANDBOX_URL": service.url, "E2B_API_KEY": e2b_form(service.run_key)}
    done = subprocess.run([node, SCRIPT], capture_output=True, text=True, timeout=170, env=env)
    said = [json.loads(line) for line in done.stdout.splitlines()]
    failed = [s for s in said if s["error"]]
    assert not failed, "\n".join("%(group)s, %(name)s: %(error)s" % s for s in failed)
    assert done.returncode == 0 and sorted(s["name"] for s in said) == sorted(names), done


# ---- the Python client ----

class Sandbox:
    """One as the Python client (e2b 2.x: httpx, and connectrpc with its JSON codec) makes and uses it.

    After its source (e2b/api, e2b/sandbox_sync/main.py, e2b/connection_config.py): PyPI is not reachable.
    """
    CONTROL = {"User-Agent": AGENT, "lang": "python", "package_version": "2.30.0", "publisher": "e2b"}
    BODY = {"templateID": "base", "autoPause": False, "metadata": {}, "timeout": 300, "envVars": {}, "secure": True,
            "allow_internet_access": True}

    def __init__(self, service):
        self.service, self.control = service, {**self.CONTROL, "X-API-KEY": e2b_form(service.run_key)}
        answer = service.outside("POST", "/v2/sandboxes", headers=self.control, json=self.BODY)
        assert answer.status_code == 201, answer.text
        said = answer.json()
        self.id, self.token = said["sandboxID"], said["envdAccessToken"]
        assert said["envdVersion"] == "0.6.1" and said["trafficAccessToken"], said

    def headers(self, port=49983, **more):
        return {"E2b-Sandbox-Id": self.id, "E2b-Sandbox-Port": str(port), "X-Access-Token": self.token,
                "User-Agent": AGENT, **{k.replace("_", "-"): v for k, v in more.items()}}

    def ask(self, method, path, **more):
        headers = self.headers(**more.pop("fields", {}))
        return self.service.outside(method, path, headers=headers, **more)

    def unary(self, method, body, **fields):
        return self.ask("POST", "/" + method, json=body, fields={"Connect_Protocol_Version": "1", **fields})

    def stream(self, body, type="application/connect+json", **fields):
        fields = {"Connect_Protocol_Version": "1", "Content_Type": type, **fields}
        return self.ask("POST", START, data=body, fields=fields)

    def events(self, message, **fields):
        answer = self.stream(envelope(message), Keepalive_Ping_Interval="50", **fields)
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/connect+json"), answer.text
        return list(envelopes(answer.content))

    def processes(self):
        return self.unary("process.Process/List", {}).json()["processes"]

    def end(self):
        assert self.service.outside("DELETE", "/sandboxes/" + self.id, headers=self.control).status_code == 204


@pytest.fixture(scope="module")
def sandbox(service):
    s = Sandbox(service)
    yield s
    s.end()


def envelope(message, flags=0, size=None):
    data = message if isinstance(message, bytes) else json.dumps(message).encode()
    return struct.pack(">BI", flags, len(data) if size is None else size) + data


def envelopes(data):
    while data:
        flags, size = struct.unpack(">BI", data[:5])
        assert len(data) >= 5 + size
        yield flags, json.loads(data[5:5 + size])
        data = data[5 + size:]


def command(text, **more):
    return {"process": {"cmd": "/bin/bash", "args": ["-l", "-c", text], "envs": {}}, "stdin": False, **more}


def said(answer):
    """-> status and code of an error, which has words, too"""
    assert answer.json()["message"], answer.text
    return answer.status_code, answer.json()["code"]


def test_a_command_as_the_python_client_sends_it(sandbox):
    fields = {"Authorization": "Basic dXNlcjo=", "Connect_Timeout_Ms": "60000"}
    (f1, first), *middle, (f2, end), last = sandbox.events(command("echo hi; exit 3"), **fields)
    assert f1 == f2 == 0 and first["event"]["start"]["pid"] > 0
    assert b"".join(base64.b64decode(e["event"]["data"]["stdout"]) for _, e in middle) == b"hi\n"
    assert end["event"]["end"] == {"exitCode": 3, "exited": True, "status": "exit status 3", "error": "exit status 3"}
    assert last == (2, {})


def test_files_as_the_python_client_sends_them(sandbox):
    files = [("file", ("/home/user/p.txt", b"py", "application/octet-stream")),
             ("file", ("/home/user/q.bin", bytes(range(256))))]
    answer = sandbox.ask("POST", "/files", params={"username": "user"}, files=files)
    assert [f["path"] for f in answer.json()] == ["/home/user/p.txt", "/home/user/q.bin"], answer.text
    read = sandbox.ask("GET", "/files", params={"path": "/home/user/q.bin", "username": "user"})
    assert read.content == bytes(range(256))
    entry = sandbox.unary("filesystem.Filesystem/Stat", {"path": "/home/user/p.txt"}).json()["entry"]
    assert (entry["size"], entry["type"], entry["mode"]) == ("2", "FILE_TYPE_FILE", 0o644), entry


def test_code_as_the_python_client_sends_it(sandbox):
    body = {"code": "print(1)\n2", "context_id": None, "language": None, "env_vars": {}}
    answer = sandbox.ask("POST", "/execute", json=body, fields={"port": 49999})
    lines = [json.loads(line) for line in answer.text.splitlines()]
    types = [line["type"] for line in lines]
    assert types == ["number_of_executions", "stdout", "result", "end_of_execution"], answer.text
    assert lines[2] == {"type": "result", "text": "2", "is_main_result": True}


# ---- keys and tokens ----

def test_only_a_sandboxs_token_lets_into_it(service, sandbox):
    other = Sandbox(service)
    for token in ("", "x", sandbox.token[:-1], sandbox.id + ".", sandbox.id + "." + "A" * 43, other.token):
        answer = sandbox.unary("process.Process/List", {}, X_Access_Token=token)
        assert said(answer) == (401, "unauthenticated"), token
    headers = {**sandbox.control, "X-API-KEY": "e2b_" + "0" * 64}
    assert said(service.outside("GET", "/sandboxes/" + sandbox.id, headers=headers)) == (401, 401)
    other.end()
    assert said(other.unary("process.Process/List", {})) == (502, "unavailable")


def test_other_keys_do_not_see_it_and_keys_that_only_read_make_none(service, sandbox):
    asked = (("GET", ""), ("DELETE", ""), ("POST", "/timeout"), ("POST", "/pause"), ("POST", "/connect"),
             ("GET", "/metrics"))
    for key in (service.new_key("run"), service.key):
        headers = {"X-API-KEY": key}
        assert service.outside("GET", "/v2/sandboxes", headers=headers).json() == []
        for method, path in asked:
            answer = service.outside(method, "/sandboxes/%s%s" % (sandbox.id, path), headers=headers, json={})
            assert said(answer) == (404, 404), (method, path)
    answer = service.outside("POST", "/v2/sandboxes", headers={"X-API-KEY": service.new_key("read")}, json={})
    assert said(answer) == (403, 403)


def test_a_token_is_worth_nothing_when_its_key_is_gone(service):
    was, service.run_key = service.run_key, service.new_key("run", "leaves")
    try:
        sandbox = Sandbox(service)
    finally:
        service.run_key = was
    [key] = [k for k in service.request("GET", "/keys").json()["keys"] if k["name"] == "leaves"]
    assert service.request("DELETE", "/keys/" + key["id"]).status_code == 200
    assert sandbox.unary("process.Process/List", {}).status_code in (401, 502)  # 502: the session has ended meanwhile
    assert said(service.outside("GET", "/v2/sandboxes", headers=sandbox.control)) == (401, 401)


# ---- what no client should send ----

BAD_ENVELOPES = {
    "nothing": b"", "half a head": b"\0\0", "too short": envelope({}, size=100), "more behind it": envelope({}) + b"x",
    "compressed": envelope({}, 1), "an end": envelope({}, 2), "too long": envelope({}, size=2**32 - 1),
    "no JSON": envelope(b"{"), "no object": envelope(b"[]"), "no UTF-8": envelope(b'{"process":{"cmd":"\xff"}}'),
    "deep": envelope(b'{"a":' * 100 + b"1" + b"}" * 100)}
BAD_STARTS = ({}, {"process": 1}, {"process": {"cmd": 5}}, {"process": {"cmd": "x", "args": "y"}},
              {"process": {"cmd": "x", "envs": []}}, command("x", pty={"size": {"rows": 0, "cols": -1}}),
              command("x", stdin="yes"), {"process": {"cmd": "a\0b"}})
BAD_CALLS = (
    ("process.Process/SendInput", {"process": {"pid": 1}, "input": {"stdin": "***"}}),
    ("process.Process/SendInput", {"process": {"pid": "x"}}),
    ("process.Process/SendSignal", {"process": {"pid": 1}, "signal": 9}),
    ("process.Process/SendSignal", {"process": {"pid": 1}, "signal": "SIGNAL_SIGKILL\0"}),
    ("process.Process/Update", {"process": {"pid": -1}}),
    ("filesystem.Filesystem/Stat", {"path": 1}), ("filesystem.Filesystem/Stat", {}),
    ("filesystem.Filesystem/ListDir", {"path": "", "depth": "x"}),
    ("filesystem.Filesystem/Move", {"source": "a"}), ("filesystem.Filesystem/Remove", {"path": "/home/user"}))


def test_bad_envelopes_end_the_stream_with_an_error(sandbox):
    for what, data in BAD_ENVELOPES.items():
        answer = sandbox.stream(data)
        [(flags, end)] = envelopes(answer.content)
        assert (answer.status_code, flags) == (200, 2) and end["error"]["message"], what
        wanted = "resource_exhausted" if what == "too long" else "invalid_argument"
        assert end["error"]["code"] == wanted, (what, end)


def test_wrong_types_are_refused_and_nothing_begins(sandbox):
    for body in BAD_STARTS:
        [(flags, end)] = sandbox.events(body)
        assert flags == 2 and end["error"]["code"] == "invalid_argument", (body, end)
    for method, body in BAD_CALLS:
        assert said(sandbox.unary(method, body)) == (400, "invalid_argument"), (method, body)
    assert sandbox.processes() == []


def test_unknown_methods_and_types_of_content(service, sandbox):
    for method in ("process.Process/Fork", "process.Process/StreamInput", "filesystem.Filesystem/Chmod"):
        assert said(sandbox.unary(method, {})) == (404, "unimplemented"), method
    [(_, end)] = envelopes(sandbox.stream(b"\x0a\x00", type="application/connect+proto").content)
    assert end["error"]["code"] == "invalid_argument" and "application/connect+json" in end["error"]["message"]
    own = "/sandboxes/" + sandbox.id
    for method, path in (("GET", "/v3/templates"), ("POST", own + "/fork"), ("PUT", own + "/network")):
        answer = service.outside(method, path, headers=sandbox.control, json={})
        assert said(answer) == (404, 404) and "not offered" in answer.json()["message"], answer.text


def test_bad_uploads_write_nothing(sandbox):
    def upload(data, type="multipart/form-data; boundary=b", **params):
        return sandbox.ask("POST", "/files", data=data, params=params, fields={"Content_Type": type})
    part = b'--b\r\nContent-Disposition: form-data; name="file"; filename="bad"\r\n\r\nx'
    end = b"\r\n--b--"
    for data, more in ((b"", {}), (part, {}), (part + b"\r\n--b", {}), (b"x" + part + end, {}),
                       (part + end, {"type": "multipart/form-data"}),
                       (part.replace(b' filename="bad"', b"") + end, {}), (b"x", {"type": "text/plain"})):
        assert said(upload(data, **more)) == (400, 400), data
    for path in ("../x", "a/../../x", "/etc/passwd", "/home/user"):
        assert upload(part + end, path=path).status_code in (400, 403, 409), path
    assert said(sandbox.unary("filesystem.Filesystem/Stat", {"path": "bad"})) == (404, "not_found")


def connect(service):
    host, port = service.url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=60)


def head(sandbox, length):
    fields = {**sandbox.headers(Content_Type="application/connect+json"), "Content-Length": length,
              "Host": sandbox.service.url.removeprefix("http://")}
    return ("POST %s HTTP/1.1\r\n%s\r\n" % (START, "".join("%s: %s\r\n" % f for f in fields.items()))).encode()


def test_a_client_that_vanishes_leaves_its_command_to_the_sandbox(service):
    """As in E2B, a command outlives its connection, and ends with its sandbox."""
    sandbox = Sandbox(service)
    message = envelope(command("echo there; sleep 1000"))
    with connect(service) as s:
        s.sendall(head(sandbox, len(message)) + message)
        seen = b""
        while base64.b64encode(b"there\n") not in seen:
            seen += s.recv(65536)
    [process] = sandbox.processes()
    assert process["config"]["args"][-1] == "echo there; sleep 1000"
    sandbox.end()

    def runs():
        answer = service.request("GET", "/sessions/%s/processes" % sandbox.id, key=service.run_key)
        return answer.json()["processes"][0]["state"] != "finished"
    assert not helpers.poll(runs, 60)


def test_many_half_requests_keep_no_one_out(service, sandbox):
    message = envelope(command("echo never"))
    half = []
    try:
        for i in range(100):
            half.append(connect(service))
            half[i].sendall(head(sandbox, len(message)) + message[:20] if i % 2 else head(sandbox, 9)[:40])
        assert sandbox.events(command("echo in"))[-1] == (2, {})
    finally:
        for s in half:
            s.close()
    assert not helpers.poll(sandbox.processes, 60)


def test_it_can_be_switched_off_and_on_while_the_service_runs(service, sandbox):
    def ask():
        return service.outside("GET", "/v2/sandboxes", headers=sandbox.control)

    def switch(is_on):
        service.configure({"rate_limiting": {"enabled": False}, "endpoints": {"e2b": {"enabled": is_on}}})
        service.hup()
        assert not helpers.poll(lambda: (ask().status_code == 200) != is_on, 60)
    try:
        switch(False)
        assert ask().json() == {"code": 404, "message": "endpoints.e2b.enabled is false"}
    finally:
        switch(True)
