"""Ports of a session: servers inside, reached from outside (docs/sessions.md)."""
import concurrent.futures
import contextlib
import hashlib
import os
import socket
import threading

import helpers
import load
import pytest
import requests
from service import BASE, Service, error_of
from test_sessions import Session

# Raw, so that it can say what no library says. Each connection is one request; the path says what it is to be answered.
SERVER = r"""
import hashlib, json, os, socket, struct, threading, time

def read_body(f, head):
    fields = {n.lower(): v for n, v in head}
    if fields.get("transfer-encoding") == "chunked":
        while n := int(f.readline(), 16):
            yield f.read(n)
            f.readline()
        f.readline()
        return
    left = int(fields.get("content-length", 0))
    while left:
        data = f.read(min(left, 65536))
        if not data:
            return
        left -= len(data)
        yield data

def serve(c):
    with c, c.makefile("rb") as f:
        line, head = f.readline().decode().strip(), []
        while (text := f.readline().decode().strip()):
            head.append(text.split(": ", 1))
        path = (line.split(" ") + ["", ""])[1]
        answer(c, f, line, head, path)

def answer(c, f, line, head, path):
    if path.startswith("/echo"):
        sha, size = hashlib.sha256(), 0
        for piece in read_body(f, head):
            sha.update(piece)
            size += len(piece)
        body = json.dumps({"line": line, "headers": head, "size": size, "sha": sha.hexdigest()}).encode()
        c.sendall(b"HTTP/1.1 200 Fine\r\nSet-Cookie: a=b\r\nset-cookie2: c\r\nWWW-Authenticate: Basic\r\n"
                  b"X-Own: 1\r\nX-Own: 2\r\nAccess-Control-Allow-Origin: *\r\nClear-Site-Data: \"*\"\r\n"
                  b"Service-Worker-Allowed: /\r\nAlt-Svc: h3=\":1\"\r\nReferrer-Policy: unsafe-url\r\n"
                  b"Content-Security-Policy: sandbox allow-same-origin allow-scripts\r\n"
                  b"Cross-Origin-Opener-Policy: same-origin\r\nX-Hop: 1\r\nConnection: X-Hop\r\n"
                  b"Cache-Control: public\r\nContent-Type: application/json\r\n"
                  b"Content-Length: %d\r\n\r\n" % len(body) + body)
    elif path.startswith("/sized/"):
        c.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % int(path[7:]))
        if not line.startswith("HEAD"):
            for at in range(0, int(path[7:]), 65536):
                c.sendall(bytes(min(65536, int(path[7:]) - at)))
    elif path == "/events":
        c.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                  b"9\r\ndata: 1\n\n\r\n")
        while not os.path.exists("go"):
            time.sleep(0.02)
        c.sendall(b"9;x=y\r\ndata: 2\n\n\r\n0\r\nTrailer: 1\r\n\r\n")
    elif path == "/open":
        c.sendall(b"HTTP/1.1 200 OK\r\n\r\nbegun")
        open("left", "w").write(repr(c.recv(1)))
    elif path == "/early":
        c.sendall(b"HTTP/1.1 413 No\r\nContent-Length: 4\r\n\r\nmuch")
    elif path == "/ws":
        c.sendall(b"HTTP/1.1 101 Switching\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n"
                  b"Set-Cookie: a=b\r\n\r\nfirst")
        while data := c.recv(65536):
            c.sendall(data[::-1])
            if data.endswith(b"bye"):
                return
    elif path == "/endless":
        while True:
            c.sendall(b"X-A: b\r\n" * 100 if line else b"")
    else:
        c.sendall(ANSWERS[path])
        if path == "/reset":
            c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

ANSWERS = {
    "/": b"HTTP/1.0 204 None\r\n\r\n",
    "/closes": b"HTTP/1.0 200 OK\nContent-Type: text/html\n\n<p>until the end",
    "/moved": b"HTTP/1.1 302 Found\r\nLocation: /there?x=1\r\nContent-Length: 0\r\n\r\n",
    "/interim": b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\n"
                b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    "/garbage": b"\0\xffSSH-2.0-x\r\n",
    "/nothing": b"",
    "/half": b"HTTP/1.1 200 OK\r\nContent-Le",
    "/lengths": b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "/split": b"HTTP/1.1 200 OK\r\nX: a\rSet-Cookie: b\r\n\r\n",
    "/upgrade": b"HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    "/cut": b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nten bytes.",
    "/badchunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\nZZ\r\n",
    "/reset": b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nten bytes.",
}
def guarded(c):
    try:
        serve(c)
    except OSError:
        pass
def listen(port):
    return socket.create_server((HOST, port), backlog=256, family=socket.AF_INET6 if ":" in HOST else socket.AF_INET)
def hold(listener):
    held = []
    while True:
        held.append(listener.accept()[0])
        held[-1].sendall(b"HTTP/1.1 200 OK\r\n\r\nbegun")
threading.Thread(target=hold, args=(listen(PORT + 1),), daemon=True).start()
listener = listen(PORT)
while True:
    threading.Thread(target=guarded, args=(listener.accept()[0],), daemon=True).start()
"""
PORT = 8000


class Ports(Session):
    def __init__(self, *args, host="127.0.0.1", port=PORT, **body):
        super().__init__(*args, **body)
        code = SERVER.replace("HOST", repr(host)).replace("PORT", str(port))
        assert self.ask("PUT", "/files/server.py", data=code.encode()).status_code == 200
        made = self.answer("exec python3 server.py", background=True, timeout="1h")
        assert made.status_code == 202, made.text
        assert not helpers.poll(lambda: self.port("/", n=port).status_code == 502, 60)  # the other one is there by then

    def port(self, path="/", method="GET", n=PORT, **kwargs):
        return self.ask(method, "/ports/%d%s" % (n, path), **kwargs)

    def path(self, path, n=PORT):
        return "%s/sessions/%s/ports/%d%s" % (BASE, self.id, n, path)

    @contextlib.contextmanager
    def connection(self, path, *headers, place="ports"):
        """-> a socket and a file, on which a request with an upgrade was sent"""
        host, port = self.service.url.rsplit("/", 1)[-1].split(":")
        with socket.create_connection((host, int(port)), timeout=60) as s, s.makefile("rb") as f:
            head = ["GET %s HTTP/1.1" % self.path(path).replace("ports", place), "Host: %s:%s" % (host, port),
                    "Connection: keep-alive, Upgrade", "Upgrade: websocket", "Authorization: Bearer %s" % self.key,
                    *headers, "", ""]
            s.sendall("\r\n".join(head).encode())
            yield s, f


def read_head(f):
    lines = []
    while line := f.readline().strip():
        lines.append(line.decode())
    return lines


@pytest.fixture(scope="module")
def service():
    with Service({**load.UNLIMITED, "endpoints": {"api": {"max_body": "64KiB"}}}) as s:
        yield s


@pytest.fixture(scope="module")
def session(service):
    return Ports(service, ttl=3600)


def test_a_server_that_a_job_started_answers_from_outside(session):
    job = session.answer("echo hi > page.html; exec python3 -m http.server 7999 --bind 127.0.0.1", background=True)
    assert job.status_code == 202, job.text
    assert not helpers.poll(lambda: session.port("/page.html", n=7999).status_code == 502, 60)
    answer = session.port("/page.html", n=7999)
    assert answer.status_code == 200 and answer.text == "hi\n", answer.text
    assert answer.headers["Content-Type"] == "text/html"
    assert error_of(session.port(n=9), 502, "bad_gateway")["message"] == "nothing listens at port 9 of the session"


def test_the_server_gets_the_request_without_what_shows_who_sent_it(session):
    said = session.port("/echo/a%2Fb//c?q=%20x&q=2", method="POST", data=b"0123", headers={
        "Cookie": "a=b", "X-API-Key": "k", "Referer": "http://x/ui/", "X-Forwarded-For": "1.2.3.4", "X-Mine": "yes",
        "X-Sandbox-Session": "1", "Origin": session.service.url, "Connection": "keep-alive, X-Hop", "X-Hop": "1",
        "TE": "trailers"}).json()
    assert said["line"] == "POST /echo/a%2Fb//c?q=%20x&q=2 HTTP/1.1" and said["size"] == 4
    headers = {name.lower(): value for name, value in said["headers"]}
    assert headers["host"] == "localhost:%d" % PORT and headers["connection"] == "close" and headers["x-mine"] == "yes"
    assert headers["x-forwarded-prefix"] == session.path("") and headers["content-length"] == "4"
    assert not {"authorization", "cookie", "x-api-key", "origin", "referer", "x-forwarded-for", "x-sandbox-session",
                "x-hop", "te", "transfer-encoding"} & set(headers), headers


def test_the_answer_has_nothing_that_speaks_for_the_services_origin(session):
    answer = session.port("/echo")
    named = {name.lower(): value for name, value in answer.headers.items()}
    assert named["content-security-policy"].startswith("sandbox allow-scripts, ")  # the server's own only adds to it
    assert named["x-content-type-options"] == "nosniff" and named["referrer-policy"] == "no-referrer"
    assert named["cache-control"] == "no-store" and named["x-own"] == "1, 2"
    assert named["content-type"] == "application/json"
    assert not {"set-cookie", "set-cookie2", "www-authenticate", "access-control-allow-origin", "clear-site-data",
                "alt-svc", "service-worker-allowed", "cross-origin-opener-policy", "x-hop"} & set(named), named
    for path in ("/", "/closes", "/moved"):
        assert session.port(path, allow_redirects=False).headers["Content-Security-Policy"] == "sandbox allow-scripts"
    assert session.port("/moved", allow_redirects=False).headers["Location"] == session.path("/there?x=1")
    assert session.port("", allow_redirects=False).headers["Location"] == "%d/" % PORT
    assert error_of(session.port("/sw.js", headers={"Service-Worker": "script"}), 403, "policy_denied")


def test_every_method_and_form_of_body(session):
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
        assert session.port("/echo", method=method).json()["line"] == "%s /echo HTTP/1.1" % method
    assert ["Content-Length", "0"] in session.port("/echo", method="POST").json()["headers"]
    head = session.port("/sized/70000", method="HEAD")
    assert head.status_code == 200 and head.headers["Content-Length"] == "70000" and not head.content
    assert len(session.port("/sized/70000").content) == 70000 and session.port("/sized/0").content == b""
    assert session.port("/").status_code == 204 and session.port("/interim").text == "ok"
    assert session.port("/closes").text == "<p>until the end"
    piece, count = bytes(range(256)) * 256, 64  # 4 MiB: more than max_body
    expected = (count * len(piece), hashlib.sha256(piece * count).hexdigest())
    for data in (piece * count, iter([piece] * count)):  # with a length, and chunked
        said = session.port("/echo", method="POST", data=data).json()
        assert (said["size"], said["sha"]) == expected, said
    early = session.port("/early", method="POST", data=iter([piece] * count))
    assert early.status_code == 413 and early.text == "much"


def test_a_stream_of_events_comes_as_it_is_sent(session):
    with session.port("/events", stream=True) as answer:
        lines = answer.iter_lines()
        assert next(lines) == b"data: 1" and answer.headers["Content-Type"] == "text/event-stream"
        session.run("touch go")
        assert [line for line in lines if line] == [b"data: 2"]


def test_a_websocket_is_passed_both_ways(session):
    with session.connection("/ws", "Sec-WebSocket-Key: k", "Sec-WebSocket-Version: 13") as (s, f):
        head = read_head(f)
        assert head[0] == "HTTP/1.1 101 Switching Protocols" and "Sec-WebSocket-Accept: x" in head, head
        assert not any(line.startswith("Set-Cookie") for line in head) and "Upgrade: websocket" in head
        assert f.read(5) == b"first"
        for frame in (b"\x81\x05hello", bytes(range(256)) * 100, b"bye"):
            threading.Thread(target=s.sendall, args=(frame,)).start()
            back = f.read(len(frame))
            assert sorted(back) == sorted(frame)
        assert f.read() == b""  # the server has ended it
    with session.connection("/ws", "Origin: http://evil.example") as (_, f):
        assert read_head(f)[0] == "HTTP/1.1 403 Forbidden"
    with session.connection("/ws", "Origin: null") as (_, f):
        assert read_head(f)[0] == "HTTP/1.1 403 Forbidden"
    with session.connection("/echo") as (_, f):  # not upgraded: an answer like others
        assert read_head(f)[0] == "HTTP/1.1 200 OK"
    error_of(session.port("/upgrade"), 502, "bad_gateway")  # to what was not asked for


def test_a_server_that_does_not_do_as_servers_do(session):
    for path, why in (("/garbage", "is no HTTP"), ("/nothing", "without an answer"), ("/half", "without an answer"),
                      ("/lengths", "Content-Length"), ("/split", "control characters"), ("/endless", "is no HTTP")):
        assert why in error_of(session.port(path), 502, "bad_gateway")["message"], path
    for path in ("/cut", "/reset"):  # broken off: its head has gone
        assert len(session.port(path).content) < 100
    with pytest.raises(requests.exceptions.ChunkedEncodingError):
        assert not session.port("/badchunk").content
    assert session.port("/sized/1").content == b"\0"


def test_a_client_that_leaves_is_gone_for_the_server_too(session):
    with session.port("/open", stream=True) as answer:
        assert next(answer.iter_content(5)) == b"begun"
    assert not helpers.poll(lambda: session.run("cat left 2>&1")["stdout"] != "b''", 60)


def test_who_may_and_where(service, session):
    mine = session.port("/echo")
    assert mine.status_code == 200
    path = "/sessions/%s/ports/%d/" % (session.id, PORT)
    error_of(service.request("GET", path, key=service.new_key("run")), 404, "not_found")
    error_of(service.request("GET", path, key=None), 401, "unauthenticated")
    error_of(service.request("POST", path, key=None, data=b"x"), 401, "unauthenticated")
    for port in ("0", "65536", "x", "80x", "99999999999999999999"):
        error_of(session.ask("GET", "/ports/%s/" % port), 422, "invalid_value")
    with session.connection("/", place="%70orts") as (_, f):  # what is to go there could not be told from the rest
        assert read_head(f)[0] == "HTTP/1.1 400 Bad Request"
    error_of(session.ask("TRACE", "/ports/%d/" % PORT), 405, "method_not_allowed")
    session.ask("POST", "/pause")
    assert error_of(session.port("/echo"), 409, "conflict")["details"]["rule"] == "session_paused"
    session.ask("POST", "/resume")


def test_many_at_once_and_nothing_is_left(service, session):
    def count():
        return sum(len(os.listdir("/proc/%d/fd" % p)) for p in service.pids("sandboxd"))
    before = count()
    held = [session.port(n=PORT + 1, stream=True) for _ in range(200)]
    assert all(answer.status_code == 200 for answer in held)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(len(a.content) == 70000 for a in pool.map(lambda _: session.port("/sized/70000"), range(16)))
    for answer in held:
        answer.close()
    assert not helpers.poll(lambda: count() > before + 20, 60)


def test_at_medium_and_not_at_high(service):
    medium = Ports(service, risk_level="medium", host="::1", agent_id="m")
    assert medium.port("/sized/3").content == bytes(3)
    with medium.port("/open", stream=True) as answer:
        content = answer.iter_content(5)
        assert next(content) == b"begun"
        medium.ask("DELETE")
        with pytest.raises(requests.exceptions.ChunkedEncodingError):
            assert not list(content)
    medium.ended("deleted")
    error_of(medium.port("/"), 409, "conflict")
    high = Session(service, risk_level="high", agent_id="h")
    denied = error_of(high.ask("GET", "/ports/8000/"), 403, "policy_denied")
    assert denied["details"]["rule"] == "session_ports"
