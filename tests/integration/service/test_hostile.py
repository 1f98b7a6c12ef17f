"""Clients that mean harm: broken framing, broken JSON, wrong values, slowness, floods. The service says no, goes on
serving honest clients, and never says 5xx.
"""
import contextlib
import json
import os
import re
import resource
import socket
import threading
import time
import urllib.parse

import helpers
import load
import pytest
import requests
from load import Load
from service import BASE, Service, error_of

HOST = "Host: localhost\r\n"
OK = {"language": "bash", "code": "true"}
RUN = json.dumps(OK)


@pytest.fixture(scope="module")
def service():
    api = {"request_timeout": "3s", "idle_timeout": "5s", "max_connections": 300, "max_body": "1m"}
    with Service({**load.UNLIMITED, "endpoints": {"api": api}}) as s:
        s.last_test = None
        yield s


def runs(service):
    assert service.run("echo well", "bash", session=service.connection())["stdout"] == "well\n"


@pytest.fixture(scope="module")
def runs_at_the_end(service):
    yield
    runs(service)


@pytest.fixture(autouse=True)
def still_well(service, request, runs_at_the_end):
    """After each of these tests it is the same process, and answers; after all kinds of one it runs what it is
    given."""
    pids = service.pids("sandboxd")
    if service.last_test not in (None, request.function):
        runs(service)
    service.last_test = request.function
    yield
    assert service.pids("sandboxd") == pids, service.logs[-3000:]
    assert service.outside("GET", "/healthz", session=service.connection()).status_code == 200


def connect(service):
    at = urllib.parse.urlsplit(service.url)
    return socket.create_connection((at.hostname, at.port), timeout=120)


def until_closed(s):
    """Everything that comes until the other side closes; the time-out of the socket fails the test."""
    data = b""
    with contextlib.suppress(ConnectionResetError):
        while chunk := s.recv(65536):
            data += chunk
    return data


def send_raw(service, data):
    """-> all that is answered until the connection is closed"""
    with contextlib.closing(connect(service)) as s:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            s.sendall(data if isinstance(data, bytes) else data.encode())
        return until_closed(s)


def statuses(data):
    """Of every answer in what came over a connection. What libmicrohttpd 0.9.75 refuses by itself it says twice, in one
    answer, and closes."""
    found = [int(n) for n in re.findall(rb"HTTP/1\.[01] (\d\d\d) ", data)]
    return found[:1] if len(found) == 2 and found[0] == found[1] >= 400 and b"<html>" in data else found


def post(service, head, body, path="/execute"):
    return "POST %s%s HTTP/1.1\r\n%sAuthorization: Bearer %s\r\n%s\r\n%s" % (BASE, path, HOST, service.key, head, body)


def refused(answer):
    """A refusal of the caller, in the contract's form."""
    assert 400 <= answer.status_code < 500, (answer.status_code, answer.text[:300])
    error_of(answer, answer.status_code, answer.json()["error"]["code"])
    return answer


def execute_raw(service, body, headers=()):
    return service.request("POST", "/execute", data=body if isinstance(body, bytes) else body.encode(),
                           headers={"Content-Type": "application/json", **dict(headers)})


# ---- framing: one request must never be read as two, nor two as one ----

LENGTH = "Content-Length: %d\r\n" % len(RUN)
CHUNKED = "Transfer-Encoding: chunked\r\n"
CHUNKS = "%x\r\n%s\r\n0\r\n\r\n" % (len(RUN), RUN)
SMUGGLED = {
    "length and chunked": (LENGTH + CHUNKED, CHUNKS),
    "chunked and length": (CHUNKED + LENGTH, CHUNKS),
    "two lengths": (LENGTH + "Content-Length: 5\r\n", RUN),
    "two equal lengths": (LENGTH + LENGTH, RUN),
    "a list of lengths": ("Content-Length: %d, %d\r\n" % (len(RUN), len(RUN)), RUN),
    "a signed length": ("Content-Length: +%d\r\n" % len(RUN), RUN),
    "a negative length": ("Content-Length: -1\r\n", RUN),
    "a hexadecimal length": ("Content-Length: 0x%x\r\n" % len(RUN), RUN),
    "a length with a blank": ("Content-Length: 1 0\r\n", RUN),
    "an enormous length": ("Content-Length: 99999999999999999999999\r\n", RUN),
    "an empty length": ("Content-Length:\r\n", RUN),
    "a length before a colon's blank": ("Content-Length : %d\r\n" % len(RUN), RUN),
    "a folded header": (LENGTH + "X-A: 1\r\n Transfer-Encoding: chunked\r\n", RUN),
    "chunked twice": (CHUNKED + CHUNKED, CHUNKS),
    "another coding": ("Transfer-Encoding: gzip\r\n", RUN),
    "chunked and another": ("Transfer-Encoding: chunked, identity\r\n", CHUNKS),
    "identity, chunked": ("Transfer-Encoding: identity, chunked\r\n", CHUNKS),
    "chunked in quotes": ('Transfer-Encoding: "chunked"\r\n', CHUNKS),
    "chunked with a tab": ("Transfer-Encoding:\x0bchunked\r\n", CHUNKS),
    "xchunked": ("Transfer-Encoding: xchunked\r\n", CHUNKS),
    "a bad chunk size": (CHUNKED, "zz\r\n%s\r\n0\r\n\r\n" % RUN),
    "a negative chunk size": (CHUNKED, "-1\r\n%s\r\n0\r\n\r\n" % RUN),
    "an enormous chunk size": (CHUNKED, "ffffffffffffffffff\r\n%s\r\n0\r\n\r\n" % RUN),
    "two hosts": (LENGTH + "Host: localhost\r\n", RUN),
    "two keys": (LENGTH + "Authorization: Bearer x\r\n", RUN),
}


@pytest.mark.parametrize("what", SMUGGLED)
def test_ambiguous_framing_is_refused_and_nothing_behind_it_is_heard(service, what):
    head, body = SMUGGLED[what]
    behind = "GET /healthz HTTP/1.1\r\n%sX-Smuggled: yes\r\n\r\n" % HOST
    got = send_raw(service, post(service, head, body) + behind)
    assert statuses(got) == [400] or (statuses(got) in ([413], [501], [])), (what, got[:500])
    assert b'"status"' not in got, "the request behind it was answered: %r" % got[-500:]


@pytest.mark.parametrize("line", ["GET", "GET /healthz", "GET  /healthz HTTP/1.1", "GET /healthz HTTP/9.9",
                                  "G\x01T /healthz HTTP/1.1", "/healthz", "\x16\x03\x01\x02",
                                  "GET http://[::1/ HTTP/1.1", "A" * 70000 + " / HTTP/1.1",
                                  "GET /" + "a" * 200000 + " HTTP/1.1"])
def test_a_request_line_that_is_none_is_no_harm(service, line):
    got = send_raw(service, line + "\r\n" + HOST + "Connection: close\r\n\r\n")
    assert all(400 <= s < 500 or s == 505 for s in statuses(got)) or line.startswith("GET  "), got[:300]


# ---- hosts and origins ----

def outside(service, *head):
    return send_raw(service, "GET /healthz HTTP/1.1\r\n%s\r\n"
                    % "".join(h + "\r\n" for h in (*head, "Connection: close")))


@pytest.mark.parametrize("host, status", [("localhost", 200), ("127.0.0.1", 200), ("[::1]", 200), ("localhost:%s", 200),
                                          ("127.0.0.1:%s", 200), ("evil.example", 421),
                                          ("localhost.evil.example", 421), ("127.0.0.1.evil.example", 421),
                                          ("evil.example:80", 421), ("", 400), ("localhost@evil.example", 400),
                                          ("localhost:99999999", 400), ("2130706433", 421), ("localhost/", 400)])
def test_only_our_own_hosts_are_answered(service, host, status):
    if "%s" in host:
        host = host % urllib.parse.urlsplit(service.url).port
    got = statuses(outside(service, "Host: " + host))
    assert got == [status] or (status != 200 and got and got[0] in (400, 421)), got


def test_no_host_at_all_is_refused(service):
    assert statuses(outside(service)) == [400]


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://localhost.evil.example", "file://"])
def test_web_pages_of_others_are_refused(service, origin):
    for method, path in (("GET", "/healthz"), ("GET", BASE + "/capabilities"), ("POST", BASE + "/execute")):
        answer = service.outside(method, path, key=service.key, headers={"Origin": origin})
        assert answer.status_code == 403 and "Access-Control-Allow-Origin" not in answer.headers, (path, answer.text)


# ---- sizes ----

def test_a_body_that_is_too_large_is_refused(service):
    error_of(execute_raw(service, json.dumps({**OK, "stdin": "x" * (2 << 20)})), 413, "body_too_large")


def test_a_body_that_is_announced_too_large_is_refused_before_it_comes(service):
    got = send_raw(service, post(service, "Content-Length: 99999999\r\n", "{"))
    assert statuses(got) == [413], got[:300]


def test_a_chunked_body_without_end_is_refused(service):
    chunk = b"10000\r\n" + b" " * 65536 + b"\r\n"
    with contextlib.closing(connect(service)) as s:
        s.sendall(post(service, CHUNKED, "").encode())
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            for _ in range(100):
                s.sendall(chunk)
        with contextlib.suppress(ConnectionResetError):
            assert statuses(until_closed(s)) in ([413], [])


@pytest.mark.parametrize("head", ["X-Big: %s\r\n" % ("a" * 100000), "".join("X-%d: a\r\n" % i for i in range(5000)),
                                  "%s: a\r\n" % ("X" * 100000),
                                  "Cookie: %s\r\n" % ("a=b; " * 30000)],
                                  ids=["one large", "many", "a large name", "cookies"])
def test_headers_that_are_too_large_are_refused(service, head):
    got = send_raw(service, "GET /healthz HTTP/1.1\r\n%s%s\r\n" % (HOST, head))
    assert statuses(got) in ([431], [400], [413], []), got[:200]


def test_a_long_query_and_many_parameters_are_no_harm(service):
    for query in ("?" + "a=b&" * 1500, "?limit=" + "9" * 3000, "?" + "&" * 6000, "?%00=%00", "?limit=1&limit=2",
                  "?limit", "?%ff=%zz", "?agent_id=%00"):
        got = statuses(send_raw(service,
                                "GET %s/executions%s HTTP/1.1\r\n%sAuthorization: Bearer %s\r\nConnection: close\r\n"
                                "\r\n" % (BASE, query, HOST, service.key)))
        assert got in ([200], [400], [414], [422], [431], []), (query[:50], got)


@pytest.mark.parametrize("path", ["/%2e%2e/etc/passwd", "/executions/..%2f..%2fkeys", "/executions/%00",
                                  "/executions/exec-%0d%0aX:%20y", "//keys", "/executions/" + "x" * 5000,
                                  "/executions/exec-1/artifacts/..%2f..%2fetc%2fpasswd",
                                  "/executions/exec-1/artifacts/%2e%2e", "/profiles/..%2fx", "/agents/%ff%fe",
                                  "/agents/a%00b", "/nothing", ""])
def test_odd_paths_are_no_harm(service, path):
    got = send_raw(service, "GET %s%s HTTP/1.1\r\n%sAuthorization: Bearer %s\r\nConnection: close\r\n\r\n"
                   % (BASE, path, HOST, service.key))
    assert statuses(got) and 400 <= statuses(got)[0] < 500, got[:300]
    assert b"root:" not in got and b"\r\nX: y" not in got


# ---- JSON ----

BROKEN = {
    "nothing": "", "no JSON": "language=bash", "a list": "[]", "a text": '"x"', "a number": "1", "null": "null",
    "cut": '{"language": "bash", "co', "behind it": RUN + "x", "two": RUN + RUN,
    "deep lists": '{"language":"bash","code":"true","args":%s%s}' % ("[" * 100000, "]" * 100000),
    "deep objects": '{"a":' * 50000 + "1" + "}" * 50000,
    "seventeen deep": '{"language":"bash","code":"true","env":%s1%s}' % ('{"a":' * 17, "}" * 17),
    "a member twice": '{"language":"bash","language":"python","code":"true"}',
    "a member twice within": '{"language":"bash","code":"true","env":{"A":"1","A":"2"}}',
    "a member twice, escaped": '{"language":"bash","l\\u0061nguage":"python","code":"true"}',
    "NUL in a text": '{"language":"ba\\u0000sh","code":"true"}',
    "NUL in a name": '{"language":"bash","code":"true","\\u0000":1}', "NUL byte": '{"language":"bash","code":"tr\0ue"}',
    "bad UTF-8": b'{"language":"bash","code":"\xff\xfe"}', "overlong": b'{"language":"bash","code":"\xc0\xaf"}',
    "half a pair": '{"language":"bash","code":"\\ud800"}',
    "a surrogate as bytes": b'{"language":"bash","code":"\xed\xa0\x80"}',
    "a control character": '{"language":"bash","code":"a\nb"}', "a byte order mark": "\ufeff" + RUN,
    "a comment": '{"language":"bash", /* x */ "code":"true"}', "a comma": '{"language":"bash","code":"true",}',
    "single quotes": "{'language':'bash','code':'true'}",
    "NaN": '{"language":"bash","code":"true","limits":{"timeout":NaN}}',
    "Infinity": '{"language":"bash","code":"true","limits":{"timeout":Infinity}}',
    "a huge number": '{"language":"bash","code":"true","limits":{"timeout":1e999}}',
    "a long number": '{"language":"bash","code":"true","limits":{"timeout":%s}}' % ("9" * 5000),
    "hexadecimal": '{"language":"bash","code":"true","limits":{"timeout":0x10}}',
    "a leading zero": '{"language":"bash","code":"true","limits":{"timeout":010}}',
    "an unknown member": '{"language":"bash","code":"true","risklevel":"low"}',
    "an unknown member within": '{"language":"bash","code":"true","limits":{"time":1}}',
    "UTF-16": RUN.encode("utf-16"), "gzip": b"\x1f\x8b\x08\0\0\0\0\0",
}


@pytest.mark.parametrize("what", BROKEN)
@pytest.mark.parametrize("path", ["/execute", "/executions", "/scan"])
def test_a_body_that_is_no_proper_json_is_refused(service, what, path):
    body = BROKEN[what]
    answer = refused(service.request("POST", path, data=body if isinstance(body, bytes) else body.encode()))
    assert answer.status_code in (400, 413, 422)
    if what == "an unknown member" and path != "/scan":
        assert "risk_level" in answer.text, "the nearest name is not said: " + answer.text


# ---- values: every member, with everything that it is not ----

TEXTS = [1, 1.5, True, [], {}, ["x"]]
LISTS = ["x", 1, True, {}, [1], [None], [[]]]
OBJECTS = ["x", 1, True, [], {"A": 1}, {"A": []}, {"A": {}}]
NUMBERS = ["x", "", True, [], {}, -1, 0, 1e30, "1e3x", "-5", "١"]
BLANKS = ["", "\n"]
WRONG = {
    "language": [*TEXTS, *BLANKS, "perl", "bash ", "basher", "command", "b" * 10000],
    "code": TEXTS,
    # the last: beside code
    "files": ["x", 1, True, {}, [1], ["x"], [[]], [{}], [{"path": "a"}], [{"content": "a"}],
              [{"path": "a", "content": "b"}]],
    "entry": [*TEXTS, "nowhere.sh"],
    "stdin": TEXTS,
    "stdin_base64": [*TEXTS, "!!!!", "YQ", "Y===", "YQ==YQ==", "Y Q="],
    "args": [*LISTS, ["a\0"], ["a"] * 5000],
    "env": [*OBJECTS, {"": "x"}, {"A=B": "x"}, {"A": "\0"}],
    "agent_id": [*TEXTS, *BLANKS, "a\0b", "a\x1b[2J", "x" * 5000],
    "risk_level": [*TEXTS, *BLANKS, "extreme", "LOW", "low "],
    "signature": TEXTS,
    "limits": ["x", 1, True, [], {"timeout": []}, {"nothing": 1}],
    "stream": ["true", 1, 0, [], {}, "x"],
    "volumes": ["x", 1, True, {}, [1], [{}], [{"host": "/"}], [{"host": "/etc", "inside": "/x", "mode": "ro"}],
                [{"host": 1, "inside": "/x"}],
                [{"host": "/tmp/../etc", "inside": "/x", "mode": "rw"}],
                [{"host": "/tmp", "inside": "/x", "mode": "rwx"}]],
}
WRONG_LIMITS = {"timeout": NUMBERS, "memory": [*NUMBERS, "lots", "12q", "1k", "-1m"], "cpu": [*NUMBERS, "1e9"]}
FILES = [[{"path": p, "content": "true"}]
         for p in ("", "/etc/passwd", "../x", "a/../../x", ".", "..", "a\0b", "x" * 5000, "a//b", "a/", "a\nb")] + \
    [[{"path": "a", "content": "x"}, {"path": "a", "content": "y"}],
     [{"path": "main", "content": "true"}, {"path": "a", "content": "x"}, {"path": "a/b", "content": "y"}],
     [{"path": "a", "content": "x", "content_base64": "eA=="}], [{"path": "a", "content_base64": "?"}],
     [{"path": "a", "content": "x", "mode": 7}], []]


def sent(service, path, body, why):
    answer = service.request("POST", path, data=json.dumps(body))
    assert answer.status_code in (400, 403, 413, 422), (why, answer.status_code, answer.text[:300])
    return error_of(answer, answer.status_code, answer.json()["error"]["code"])


@pytest.mark.parametrize("member", WRONG)
def test_a_member_with_a_wrong_value_is_refused_by_name(service, member):
    for value in WRONG[member]:
        for path in ("/execute", "/executions"):
            error = sent(service, path, {**OK, member: value}, (member, value))
            if member not in ("files", "entry", "volumes", "limits", "signature"):
                assert member in error["message"], (value, error)


@pytest.mark.parametrize("member", WRONG_LIMITS)
def test_a_limit_with_a_wrong_value_is_refused(service, member):
    for value in WRONG_LIMITS[member]:
        if value == "":
            continue
        error = sent(service, "/execute", {**OK, "limits": {member: value}}, (member, value))
        assert member in error["message"], (value, error)


def test_a_limit_beyond_the_profile_s_is_refused_or_lowered(service):
    for limits in ({"timeout": 100000}, {"memory": "100g"}, {"cpu": 64}):
        answer = service.request("POST", "/execute", json={**OK, "limits": limits, "risk_level": "high"})
        if answer.status_code == 200:
            now = answer.json()["isolation"]["limits"]
            assert now["memory_bytes"] <= 128 << 20, now
        else:
            refused(answer)


def test_files_with_wrong_paths_or_contents_are_refused(service):
    for files in FILES:
        sent(service, "/execute", {"language": "bash", "files": files}, files)


def test_nothing_of_a_refused_request_is_an_execution(service):
    before = {e["execution_id"] for e in service.request("GET", "/executions",
                                                         params={"limit": 500}).json()["executions"]}
    for what in BROKEN.values():
        execute_raw(service, what)
    after = {e["execution_id"] for e in service.request("GET", "/executions",
                                                        params={"limit": 500}).json()["executions"]}
    assert after == before


@pytest.mark.parametrize("key", ["a" * 129, "a\x7f", "", "ä", "a b\tc\x01"])
def test_an_idempotency_key_that_is_none_is_refused(service, key):
    with contextlib.closing(connect(service)) as s:
        s.sendall(post(service, "%sConnection: close\r\nIdempotency-Key: %s\r\n" % (LENGTH, key), RUN).encode())
        assert statuses(until_closed(s)) in ([400], [422]) or not key


@pytest.mark.parametrize("value",
                         ["x", "00-0-0-0", "00-" + "0" * 32 + "-" + "0" * 16 + "-01",
                          "ff-" + "1" * 32 + "-" + "1" * 16 + "-01", "00-" + "g" * 32 + "-" + "1" * 16 + "-01"])
def test_a_traceparent_that_is_none_is_ignored_as_w3c_says(service, value):
    result = service.execute("true", "bash", headers={"traceparent": value})
    assert result.status_code == 200 and not (result.json().get("trace_id") or "").startswith(("0000", "gggg", "1111"))


@pytest.mark.parametrize("method", ["PUT", "HEAD", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get", "X" * 50])
def test_other_methods_are_refused(service, method):
    got = send_raw(service, "%s %s/execute HTTP/1.1\r\n%sAuthorization: Bearer %s\r\nConnection: close\r\n\r\n"
                   % (method, BASE, HOST, service.key))
    assert statuses(got) in ([400], [401], [403], [404], [405],
                             [501]) or (method, statuses(got)) == ("OPTIONS", [204]), got[:200]


# ---- slowness and floods: honest clients are served meanwhile ----

def honest(service, meanwhile=lambda: True):
    """Four honest clients get a dozen answers, and more until that has happened meanwhile; none of them is refused."""
    with Load(service, clients=4, kinds=("sync",), agents=None) as crowd:
        crowd.wait_for(12)
        assert not helpers.poll(lambda: not meanwhile(), 60), meanwhile
    crowd.check_replies()
    assert not crowd.refused, crowd.refused


def has_room(service):
    """Whoever asks has come behind all others, and those that made room are gone; until then a newcomer may meet a full
    house."""
    with contextlib.suppress(requests.RequestException):
        text = service.outside("GET", "/metrics", session=service.connection()).text
        return int(re.search(r"^sandbox_agent_http_connections (\d+)$", text, re.M).group(1)) <= 301
    return False


@contextlib.contextmanager
def many_descriptors(count):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, count), hard), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("kind", ["head", "body", "nothing"])
def test_slow_loris_more_than_there_is_room_for(service, kind):
    """600 connections, twice the room, that send a byte now and then; then they are thrown out by the deadline, however
    busy they look."""
    request = post(service, "Content-Length: 100\r\n",
                   "").encode() if kind == "body" else ("GET /healthz HTTP/1.1\r\n%sX-Slow: " % HOST).encode()
    with many_descriptors(2000):
        slow = []
        for _ in range(600):
            s = connect(service)
            s.setblocking(False)
            slow.append(s)
        ends = threading.Event()

        def drip():
            sent_first = False
            while not ends.wait(0.25):
                for s in slow:
                    with contextlib.suppress(OSError):
                        if kind != "nothing":
                            s.send(b"a" if sent_first else request)
                sent_first = True
        thread = threading.Thread(target=drip, daemon=True)
        thread.start()
        assert not helpers.poll(lambda: not has_room(service), 60)
        honest(service)

        def connected():
            left = 0
            for s in slow:
                try:
                    data = s.recv(65536)
                    left += data != b""
                except BlockingIOError:
                    left += 1
                except OSError:
                    pass
            return left
        if kind != "nothing":  # request_timeout is 3 s; without a byte it is idle_timeout
            assert not helpers.poll(connected, 60), "a byte now and then keeps a connection for ever"
        ends.set()
        thread.join()
        for s in slow:
            s.close()


def test_a_flood_of_connections(service):
    ends, made = threading.Event(), [0, 0]

    def flood():
        while not ends.is_set():
            try:
                s = connect(service)
                if made[0] % 3 == 0:
                    s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                if made[0] % 3 == 1:
                    s.send(b"GET / HT")
                s.close()
                made[0] += 1
            except OSError:
                made[1] += 1
    threads = [threading.Thread(target=flood, daemon=True) for _ in range(3)]
    for t in threads:
        t.start()
    honest(service, lambda: made[0] > 100)
    ends.set()
    for t in threads:
        t.join(60)


def test_a_flood_of_requests_without_a_key(service):
    ends, answers = threading.Event(), []

    def flood():
        client = load.Client(service.url, "sa_" + "B" * 43)
        while not ends.is_set():
            answers.append(client.ask("POST", "/execute", OK).status)
        client.close()
    threads = [threading.Thread(target=flood, daemon=True) for _ in range(3)]
    for t in threads:
        t.start()
    honest(service, lambda: len(answers) > 50)
    ends.set()
    for t in threads:
        t.join(60)
    assert set(answers) <= {401, 429}, set(answers)


def test_clients_that_go_away_in_the_middle_leave_nothing(service):
    def descriptors():
        return sum(len(os.listdir("/proc/%d/fd" % p)) for p in service.pids("sandboxd"))

    def threads():
        return sum(int(helpers.status(p)["Threads"]) for p in service.pids("sandboxd"))

    def go_away():
        request = post(service, LENGTH, RUN).encode()
        for i in range(60):
            s = connect(service)
            s.sendall(request[:i * len(request) // 60] if i % 2 else request)
            s.close()
    go_away()  # what is kept for the next ones, such as connections to the launcher, is there now
    honest(service)
    begin = descriptors(), threads()
    for _ in range(4):
        go_away()
    connections = 64  # idle connections to the launcher are kept, as many as were needed at once
    assert not helpers.poll(lambda: descriptors() > begin[0] + connections + 8 or threads() > begin[1] + 4,
                            60), (begin, descriptors(), threads())


def test_a_half_closed_connection_is_answered_or_closed(service):
    for _ in range(5):
        with contextlib.closing(connect(service)) as s:
            s.sendall(post(service, LENGTH, RUN).encode())
            s.shutdown(socket.SHUT_WR)
            assert statuses(until_closed(s)) in ([200], [])


def test_pipelined_requests_are_answered_in_order(service):
    requests = b"".join(b"GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n"
                        % (p, b"Connection: close\r\n" if p == b"/readyz" else b"")
                        for p in (b"/healthz", b"/nothing", b"/version", b"/readyz"))
    got = send_raw(service, requests)
    assert statuses(got) == [200, 404, 200, 200], got


def test_expect_100_is_honoured_or_ignored_but_does_not_hang(service):
    with contextlib.closing(connect(service)) as s:
        s.sendall(post(service, LENGTH + "Expect: 100-continue\r\nConnection: close\r\n", "").encode())
        assert s.recv(100).startswith(b"HTTP/1.1 100")
        s.sendall(RUN.encode())
        assert statuses(until_closed(s))[-1] == 200
