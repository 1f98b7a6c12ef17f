"""Piston's clients (docs/piston.md).

Its own client from npm, unchanged, runs the cases of tests/piston/client.mjs; what no client should send is refused in
the protocol's own words; and who may reach the place where it listens.
"""
import json
import re
import shutil
import socket
import subprocess
import threading

import helpers
import pytest
import requests
from service import Service

PACKAGES = helpers.ROOT / "tests/piston"
SCRIPT = PACKAGES / "client.mjs"
NO_LIMITS = {"rate_limiting": {"enabled": False}}


def settings(key, **more):
    return {**NO_LIMITS, "endpoints": {"piston": {"enabled": True, "port": 0, "key": key, **more}}}


def key_id(service, name):
    """-> the id of the key of this name"""
    return [k["id"] for k in service.request("GET", "/keys").json()["keys"] if k["name"] == name][0]


class Piston(Service):
    """One with a listener for Piston's clients, which has the rights of a key that is for one agent."""

    def __init__(self):
        super().__init__(NO_LIMITS)
        self.run_key = self.new_key("run", "piston", agents=["bot"])
        self.id = key_id(self, "piston")
        self.stop()
        self.configure(settings(self.id))
        self.start()
        self.piston = self.wait_log(r"Piston's clients: (\S+)/api/v2, with the rights of " + self.id).group(1)

    def ask(self, method, path, **more):
        return self.session.request(method, self.piston + "/api/v2" + path, timeout=60, **more)

    def execute_piston(self, code, **body):
        return self.ask("POST", "/execute", json={"language": "bash", "version": "*", "files": [{"content": code}],
                                                  **body})


@pytest.fixture(scope="module")
def service():
    with Piston() as s:
        yield s


def executions(service):
    return [e["execution_id"] for e in service.request("GET", "/executions?limit=5").json()["executions"]]


def said(answer):
    """-> status and message of an error, which has no other member"""
    assert list(answer.json()) == ["message"], answer.text
    return answer.status_code, answer.json()["message"]


# ---- its own client ----

def test_pistons_own_client_works(service):
    node = shutil.which("node")
    if not node or not (PACKAGES / "node_modules/piston-client").exists():
        helpers.skip("node, or tests/piston/node_modules, is missing (npm ci --ignore-scripts, which ./check does)")
    names = re.findall(r"^  async '([^']+)'", SCRIPT.read_text(), re.M)
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(service.dir / "home"), "PISTON_SERVER": service.piston}
    done = subprocess.run([node, SCRIPT], capture_output=True, text=True, timeout=170, env=env)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    failed = [t for t in told if t["error"]]
    assert not failed, "\n".join("%(name)s: %(error)s" % t for t in failed)
    assert done.returncode == 0 and sorted(t["name"] for t in told) == sorted(names), done


# ---- the same service as every other client's ----

def test_it_is_an_execution_of_the_keys_agent_and_the_scan_has_read_it(service):
    answer = service.ask("POST", "/piston/execute", json={"language": "bash", "files": [{"content": "echo seen"}]})
    assert answer.json()["run"]["stdout"] == "seen\n", answer.text
    last = service.request("GET", "/executions?limit=1").json()["executions"][0]
    assert (last["agent_id"], last["key_id"], last["language"]) == ("bot", service.id, "bash"), last
    found = service.execution(last["execution_id"])["result"]
    assert found["reasons"] and found["trust"], found


def test_what_policy_refuses_is_an_error_with_the_reason(service):
    assert service.request("POST", "/agents/bot/quarantine", json={"reason": "a test"}).status_code == 200
    try:
        status, message = said(service.execute_piston("echo no"))
        assert status == 400 and "quarantine" in message, message
    finally:
        assert service.request("POST", "/agents/bot/release", json={"reason": "a test"}).status_code == 200


# ---- what no client should send ----

BAD_BODIES = (
    b"", b"{", b"[]", b"1", b'{"language":"\xff"}', b'{"language":' + b"[" * 100 + b"]" * 100 + b"}",
    b"{}", {"language": 1}, {"language": ""}, {"version": 3}, {"version": "*\0"}, {"version": ["3"]}, {"files": 1},
    {"files": {}}, {"files": []}, {"files": [1]}, {"files": [{}]}, {"files": [{"content": 1}]},
    {"files": [{"content": None}]}, {"files": [{"content": "eA==", "encoding": "base64"}]},
    {"files": [{"content": "x"}] * 1001}, {"files": [{"content": "x"}] * 40}, {"files": [{"content": ""}]},
    {"files": [{"content": "x"}, {"content": "***", "encoding": "base64"}]},
    {"files": [{"content": "x"}, {"content": "123", "encoding": "hex"}]},
    {"files": [{"content": "x"}, {"content": "zz", "encoding": "hex"}]},
    {"files": [{"content": "x"}, {"content": "\0", "encoding": "hex"}]},
    {"files": [{"content": "x"}, {"content": "41\0", "encoding": "hex"}]},
    {"files": [{"content": "x"}, {"content": "eA\0=", "encoding": "base64"}]},
    {"files": [{"content": "x", "name": "a\0"}]}, {"files": [{"content": "x", "encoding": "hex\0"}]},
    {"language": "bash\0"},
    {"files": [{"content": "x", "name": "../x"}]}, {"files": [{"content": "x", "name": "/etc/x"}]},
    {"files": [{"content": "x", "name": "a"}, {"content": "x", "name": "a"}]},
    {"stdin": 1}, {"stdin": ["x"]}, {"args": "x"}, {"args": [1]}, {"args": ["a\0b"]}, {"args": ["x"] * 1001},
    {"run_timeout": "3000"}, {"run_timeout": -5}, {"run_timeout": 1.5}, {"run_timeout": 1}, {"run_timeout": 10**30},
    {"compile_timeout": "x"}, {"run_memory_limit": -2}, {"run_memory_limit": []}, {"run_memory_limit": 1},
    {"compile_memory_limit": {}}, {"run_cpu_time": "x"}, {"compile_cpu_time": True})


def test_wrong_bodies_are_400_with_a_message_and_nothing_runs(service):
    known = executions(service)
    good = {"language": "bash", "version": "*", "files": [{"content": "echo never"}]}
    for body in BAD_BODIES:
        data = body if isinstance(body, bytes) else json.dumps({**good, **body})
        answer = service.ask("POST", "/execute", data=data)
        assert answer.status_code == 400 and said(answer)[1], (body, answer.text)
    assert executions(service) == known


def test_other_paths_and_methods_are_not_found_and_large_bodies_are_refused(service):
    for method, path in (("GET", "/execute"), ("POST", "/runtimes"), ("GET", "/packages"), ("PUT", "/execute"),
                         ("GET", "/runtimes/"), ("GET", "/../v1/sandbox/keys"), ("DELETE", "/%65xecute/x")):
        assert said(service.ask(method, path)) == (404, "Not Found"), (method, path)
    assert said(requests.get(service.piston + "/api/v1/sandbox/keys", timeout=60)) == (404, "Not Found")
    assert said(service.execute_piston("#" * (17 << 20)))[0] == 413
    for headers, status in (({"Host": "evil.example"}, 421), ({"Origin": "https://evil.example"}, 403)):
        assert said(service.ask("GET", "/runtimes", headers=headers))[0] == status, headers


def connect(service):
    host, port = service.piston.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=60)


def raw(service, body, length=None):
    return b"POST /api/v2/execute HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n\r\n%s" % (
        service.piston.removeprefix("http://").encode(), len(body) if length is None else length, body)


def running(service):
    return service.request("GET", "/executions?state=running").json()["executions"]


def test_a_client_that_vanishes_ends_its_program(service):
    body = {"language": "bash", "version": "*", "files": [{"content": "sleep 1000"}]}
    with connect(service) as s:
        s.sendall(raw(service, json.dumps(body).encode()))
        assert not helpers.poll(lambda: not running(service), 60), "it does not run"
    assert not helpers.poll(lambda: running(service), 60), "it runs on without a client"


def test_half_requests_keep_no_one_out_and_leave_nothing(service):
    half = []
    try:
        for i in range(60):
            half.append(connect(service))
            half[i].sendall(raw(service, b'{"language":', 500) if i % 2 else raw(service, b"")[:40])
        assert service.execute_piston("echo in").json()["run"]["stdout"] == "in\n"
        assert service.run("print(1)")["stdout"] == "1\n"  # nor is another front's client kept out
    finally:
        for s in half:
            s.close()
    assert not helpers.poll(lambda: running(service), 60)


def test_many_at_once_have_each_its_own_output(service):
    told = {}

    def one(i):
        session = Service.connection()
        answer = session.post(service.piston + "/api/v2/execute", timeout=120,
                              json={"language": "bash", "files": [{"content": "cat"}], "stdin": str(i)})
        told[i] = answer.json()["run"]["output"]
    threads = [threading.Thread(target=one, args=(i,)) for i in range(12)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert told == {i: str(i) for i in range(12)}


# ---- who may ----

def test_switches_and_keys_hold_from_the_next_request_on(service):
    def ask():
        return said(service.ask("GET", "/runtimes"))

    def becomes(status, values):
        service.configure(values)
        service.hup()
        assert not helpers.poll(lambda: service.ask("GET", "/runtimes").status_code != status, 60)
    service.new_key("read", "reads")
    try:
        becomes(404, settings(service.id, enabled=False))
        assert ask() == (404, "endpoints.piston.enabled is false")
        becomes(401, settings("key-000000000000"))
        assert "endpoints.piston.key" in ask()[1]
        becomes(200, settings(key_id(service, "reads")))
        assert "may not POST /execute" in said(service.execute_piston("echo"))[1]
    finally:
        becomes(200, settings(service.id))


@pytest.mark.parametrize("more, words", [
    ({"key": None}, "endpoints.piston.key is missing"), ({"key": "sa_x"}, "endpoints.piston.key is no id"),
    ({"host": "0.0.0.0"}, "beyond loopback.*allow_remote")])
def test_without_a_key_or_beyond_loopback_the_service_does_not_start(more, words):
    values = settings("key-000000000000")
    values["endpoints"]["piston"].update(more)
    with Service(values, start=False) as s:
        s.start(wait=False)
        assert s.wait() != 0
        assert re.search(words, s.logs, re.S), s.logs


def test_as_shipped_there_is_none():
    with Service(NO_LIMITS) as s:
        assert "Piston" not in s.logs
        assert s.outside("GET", "/api/v2/runtimes", key=s.key).status_code == 404
