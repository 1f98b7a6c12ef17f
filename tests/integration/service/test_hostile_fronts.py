"""Clients that mean harm, at every front: the Model Context Protocol, E2B's control plane and the inside of its
sandboxes, Piston, Daytona, and the WebSocket of a session's server.

Each front gets the same: frames that are too large, a thousand connections that stay half open, clients that vanish
while output streams. It answers in its protocol's own words, nothing is left running, and meanwhile every other front
goes on serving.
"""
import contextlib
import json
import os
import re
import resource
import socket
import struct

import helpers
import pytest
from service import BASE
from test_e2b import Sandbox, command, e2b_form, envelope, envelopes
from test_piston import Piston
from test_ports import Ports, read_head

MAX_BODY = 16 << 20  # endpoints.api.max_body, as shipped
STREAM = "while sleep 0.02; do echo streamed; done"
CONNECTIONS = 1000


class Front:
    """One protocol: how its client asks for something short, for a stream, and what an error looks like."""
    name, method, path = "", "POST", ""

    def __init__(self, world):
        self.world, self.service, self.box = world, world.service, world.box

    def place(self):
        return self.service.url.removeprefix("http://")

    def connect(self):
        host, port = self.place().split(":")
        return socket.create_connection((host, int(port)), timeout=60)

    def raw(self, headers, body=b"", path=None):
        fields = {"Host": self.place(), **self.headers(), **headers}
        head = "".join("%s: %s\r\n" % f for f in fields.items())
        return ("%s %s HTTP/1.1\r\n%s\r\n" % (self.method, path or self.path, head)).encode() + body

    def request(self, body):
        return self.raw({"Content-Length": str(len(body))}, body)

    def sends(self):
        """-> the request, whole, of a call whose output comes without end"""
        return self.request(self.body())

    def running(self):
        """What of it runs in its sandbox, or by its key."""
        found = self.service.request("GET", "/executions?state=running").json()["executions"]
        return [e for e in found if e["execution_id"] not in self.world.own]

    def ends(self):
        """What its client does not end by leaving."""


class Mcp(Front):
    name, path = "mcp", "/mcp"

    def headers(self):
        return {"Authorization": "Bearer " + self.service.run_key, "Content-Type": "application/json",
                "Accept": "application/json, text/event-stream"}

    def call(self, text, **params):
        return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": "run_command", "arguments": {"command": text}, **params}}).encode()

    def body(self):
        return self.call(STREAM, _meta={"progressToken": 1})

    def works(self):
        answer = self.service.outside("POST", self.path, headers=self.headers(), data=self.call("echo in"))
        return answer.json()["result"]["structuredContent"]["stdout"] == "in\n"

    def is_own_error(self, told):
        return told["jsonrpc"] == "2.0" and told["error"]["code"] == -32600 and told["error"]["message"]


class Control(Front):
    name, path = "e2b-control", "/v2/sandboxes"
    sends = None  # it has no streams

    def headers(self):
        return {"X-API-KEY": e2b_form(self.service.run_key), "Content-Type": "application/json"}

    def body(self):
        return b'{"templateID": "base", "metadata": {"agent_id": "bot"}}'

    def works(self):
        listed = self.service.outside("GET", self.path, headers=self.headers()).json()
        return self.box.id in [s["sandboxID"] for s in listed]

    def is_own_error(self, told):
        return told["code"] == 413 and told["message"]


class Envd(Front):
    name, path = "e2b-envd", "/process.Process/Start"

    def headers(self):
        return self.box.headers(Content_Type="application/connect+json", Connect_Protocol_Version="1")

    def body(self):
        return envelope(command(STREAM))

    def works(self):
        return self.box.events(command("echo in"))[-1] == (2, {})

    def is_own_error(self, told):
        return told["code"] == "resource_exhausted" and told["message"]

    def running(self):
        return self.box.processes()

    def ends(self):  # as in E2B, a command outlives its connection
        for process in self.box.processes():
            self.box.unary("process.Process/SendSignal", {"process": {"pid": process["pid"]},
                                                          "signal": "SIGNAL_SIGKILL"})


class Cells(Envd):
    """The code interpreter of E2B: a cell ends with its connection."""
    name, path = "e2b-code", "/execute"

    def headers(self):
        return self.box.headers(port=49999, Content_Type="application/json")

    def body(self):
        return json.dumps({"code": "import time\nwhile True:\n    print('streamed', flush=True); time.sleep(0.02)"}
                          ).encode()

    def works(self):
        answer = self.box.ask("POST", self.path, json={"code": "print('in')"}, fields={"port": 49999})
        return '"text":"in\\n"' in answer.text

    def is_own_error(self, told):
        return told["code"] == 413 and told["message"]

    running, ends = Front.running, Front.ends


class PistonFront(Front):
    name, path = "piston", "/api/v2/execute"

    def place(self):
        return self.service.piston.removeprefix("http://")

    def headers(self):
        return {"Content-Type": "text/plain;charset=UTF-8"}

    def body(self):
        return json.dumps({"language": "bash", "version": "*", "files": [{"content": STREAM}]}).encode()

    def works(self):
        return self.service.execute_piston("echo in").json()["run"]["stdout"] == "in\n"

    def is_own_error(self, told):
        return list(told) == ["message"] and told["message"]


class Daytona(Front):
    name = "daytona"

    @property
    def path(self):
        return "/toolbox/%s/process/execute" % self.box.id

    def headers(self):
        return {"Authorization": "Bearer " + self.service.run_key, "Content-Type": "application/json"}

    def body(self):
        return json.dumps({"command": STREAM}).encode()

    def works(self):
        answer = self.service.outside("POST", self.path, headers=self.headers(), data=b'{"command":"echo in"}')
        return answer.json()["result"] == "in\n"

    def is_own_error(self, told):
        return told["statusCode"] == 413 and told["message"] and told["source"] == "DAYTONA_DAEMON"


class WebSocket(Front):
    name, method = "websocket", "GET"

    @property
    def path(self):
        return self.world.ports.path("/ws")

    def headers(self):
        return {"Authorization": "Bearer " + self.world.ports.key, "Connection": "Upgrade", "Upgrade": "websocket",
                "Sec-WebSocket-Key": "k", "Sec-WebSocket-Version": "13"}

    def sends(self):
        return self.raw({})

    body = None

    def works(self):
        with self.world.ports.connection("/ws") as (s, f):
            head = read_head(f)
            s.sendall(b"in")
            return head[0].startswith("HTTP/1.1 101") and f.read(7) == b"firstni"

    def running(self):
        """Connections to the server inside."""
        text = self.world.ports.run("cat /proc/net/tcp")["stdout"]
        return [line for line in text.splitlines() if " 0100007F:1F40 " in line and line.split()[3] == "01"]


FRONTS = {f.name: f for f in (Mcp, Control, Envd, Cells, PistonFront, Daytona, WebSocket)}


class World:
    def __init__(self, service):
        self.service, self.own = service, ()
        self.box, self.ports = Sandbox(service), Ports(service)
        self.fronts = {name: kind(self) for name, kind in FRONTS.items()}
        assert all(f.works() for f in self.fronts.values())  # a cell's kernel, and the like, is there now
        self.own = {e["execution_id"] for e in
                    service.request("GET", "/executions?state=running").json()["executions"]}

    def all_work(self):
        failed = [name for name, f in self.fronts.items() if not f.works()]
        return not failed or failed

    def connections(self):
        text = self.service.outside("GET", "/metrics").text
        return int(re.search(r"^sandbox_agent_http_connections (\d+)$", text, re.M).group(1))

    def descriptors(self):
        return sum(len(os.listdir("/proc/%d/fd" % p)) for p in self.service.pids("sandboxd"))


@pytest.fixture(scope="module")
def world():
    with Piston() as s:
        w = World(s)
        yield w
        w.box.end()
        w.ports.ask("DELETE")


@pytest.fixture
def front(world, request):
    pids = world.service.pids("sandboxd")
    yield world.fronts[request.param]
    assert world.service.pids("sandboxd") == pids, world.service.logs[-3000:]
    assert world.all_work() is True


@contextlib.contextmanager
def many(front, count):
    """-> so many connections, which are closed at the end"""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, 3 * count), hard), hard))
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(front.connect()) for _ in range(count)]
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def reset(s):
    """It is gone without a word."""
    s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    s.close()


def receive(s):
    """All that comes until the other side closes."""
    data = b""
    with contextlib.suppress(ConnectionResetError):
        while chunk := s.recv(65536):
            data += chunk
    return data


# ---- frames that are too large ----

def too_large(front, chunked):
    with front.connect() as s:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            if chunked:
                s.sendall(front.raw({"Transfer-Encoding": "chunked"}))
                for _ in range(MAX_BODY // 65536 + 4):
                    s.sendall(b"10000\r\n" + b" " * 65536 + b"\r\n")
            else:
                s.sendall(front.raw({"Content-Length": str(MAX_BODY + 1)}))
        return receive(s)


# a WebSocket's frames are its server's: they pass as they come
@pytest.mark.parametrize("front", [f for f in FRONTS if f != "websocket"], indirect=True)
@pytest.mark.parametrize("chunked", [False, True], ids=["announced", "endless"])
def test_a_frame_that_is_too_large_is_refused_in_the_protocols_words(front, chunked):
    answer = too_large(front, chunked)
    assert answer.startswith(b"HTTP/1.1 413 "), answer[:300]
    assert front.is_own_error(json.loads(answer.partition(b"\r\n\r\n")[2])), answer


# ---- a thousand connections ----

@pytest.mark.parametrize("front", FRONTS, indirect=True)
def test_a_thousand_half_open_requests_keep_no_front_out(world, front):
    """Each stops at another byte of its request, from the first to the one before the last."""
    whole = front.sends() if front.sends else front.request(front.body())
    before = world.descriptors()
    with many(front, CONNECTIONS) as half:
        for i, s in enumerate(half):
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it made room for a later one
                s.sendall(whole[:1 + i * (len(whole) - 1) // CONNECTIONS])
        if front.name != "piston":  # which has a listener of its own
            assert not helpers.poll(lambda: world.connections() < 0.9 * CONNECTIONS, 8), world.connections()
        assert world.all_work() is True
        assert not front.running()
        for s in half[::2]:
            reset(s)
    assert not helpers.poll(lambda: world.descriptors() > before + 80, 60), (before, world.descriptors())


# ---- clients that vanish ----

@pytest.mark.parametrize("front", [f for f in FRONTS if f != "e2b-control"], indirect=True)  # which has no streams
def test_clients_that_vanish_while_output_streams_leave_nothing_running(world, front):
    before = world.descriptors()
    count = 1 if front.name == "e2b-code" else 6  # cells of one context run one after the other
    with many(front, count) as streams:
        for s in streams:
            s.sendall(front.sends())
        assert not helpers.poll(lambda: len(front.running()) < count, 60), front.running()
        if front.name not in ("piston", "daytona"):  # those two answer when all is there
            for s in streams:
                seen = b""
                while b"streamed" not in seen and b"c3RyZWFtZWQ" not in seen and b"first" not in seen:
                    seen += s.recv(65536)
        for s in streams:
            reset(s)
    front.ends()
    assert not helpers.poll(front.running, 60), front.running()
    assert not helpers.poll(lambda: world.descriptors() > before + 80, 60), (before, world.descriptors())


def test_a_stream_that_is_not_read_holds_up_no_front(world):
    """Its output stands, with its program, until it reads or leaves."""
    front = world.fronts["e2b-envd"]
    with front.connect() as s:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        s.sendall(front.request(envelope(command("head -c 200000000 /dev/zero"))))
        assert world.all_work() is True
        reset(s)
    front.ends()
    assert not helpers.poll(front.running, 60)


# ---- what comes behind a frame ----

def test_bytes_behind_an_envelope_and_half_of_one_are_refused_at_once(world):
    front = world.fronts["e2b-envd"]
    for body in (envelope({}) + b"\0\0", envelope({}, size=1 << 20), envelope({}, size=2**32 - 1)):
        answer = front.service.outside("POST", front.path, headers=front.headers(), data=body)
        [(flags, end)] = envelopes(answer.content)
        assert flags == 2 and end["error"]["code"] in ("invalid_argument", "resource_exhausted"), answer.content


def test_a_websockets_bytes_pass_whatever_they_are_and_the_end_of_either_side_is_the_others(world):
    """A frame that says that it has 2^63 bytes, reserved bits, an opcode that there is not: the server decides."""
    ports = world.ports
    with ports.connection("/ws") as (s, f):
        assert read_head(f)[0].startswith("HTTP/1.1 101") and f.read(5) == b"first"
        for frame in (b"\x82\x7f\x7f" + b"\xff" * 7, b"\xff\xff", b"\x8b\x80abcd"):
            s.sendall(frame)
            assert f.read(len(frame)) == frame[::-1]
        s.sendall(b"\x81\x7fbye")
        assert f.read(5) == b"eyb\x7f\x81" and f.read() == b""
    assert not helpers.poll(world.fronts["websocket"].running, 60)


def test_every_front_is_switched_off_alone(world):
    """One is 404 in its own words, and the others go on; that each comes back is in its own tests."""
    service = world.service
    asked = {"mcp": ("mcp", lambda: service.outside("POST", "/mcp", key=service.run_key, json={})),
             "e2b": ("e2b-control", lambda: service.outside("GET", "/v2/sandboxes",
                                                            headers=world.fronts["e2b-control"].headers())),
             "daytona": ("daytona", lambda: service.outside("GET", "/api/sandbox", key=service.run_key)),
             "piston": ("piston", lambda: service.ask("GET", "/runtimes"))}
    own = {"piston": {"enabled": True, "port": 0, "key": service.id}}

    def configure(off):
        endpoints = {name: {"enabled": name != off} for name in asked}
        endpoints["piston"].update(own["piston"], enabled=off != "piston")
        service.configure({"rate_limiting": {"enabled": False}, "endpoints": endpoints})
        service.hup()
    try:
        for off in asked:
            configure(off)
            assert not helpers.poll(lambda: asked[off][1]().status_code != 404, 60), off
            assert "endpoints.%s.enabled is false" % off in asked[off][1]().text
            for name, (front, _) in asked.items():
                assert name == off or world.fronts[front].works(), (off, name)
            assert service.outside("GET", BASE + "/sessions", key=service.run_key).status_code == 200
    finally:
        configure(None)
        assert not helpers.poll(lambda: [n for n, (_, ask) in asked.items() if ask().status_code == 404], 60)
        assert world.all_work() is True
