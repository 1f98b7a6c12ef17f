"""Streams: events in order, whole, in time, the same live and replayed; and clients that go away, or read slowly, or
not at all.

The programs that must end are `sleep` with a number of their own, which is looked for from outside among all processes.
"""
import base64
import contextlib
import hashlib
import http.client
import json
import os
import socket
import threading
import time
import urllib.parse

import helpers
import load
import pytest
from load import Client
from service import BASE, Service


@pytest.fixture(scope="module")
def service():
    with Service(load.UNLIMITED) as s:
        yield s


def text_of(events, stream):
    return "".join(e["data"] for e in events if e["type"] == stream)


def bytes_of(events, stream):
    return b"".join(base64.b64decode(e["data_base64"]) if "data_base64" in e else e["data"].encode() for e in events
                    if e["type"] == stream)


def whole(events):
    """Asserts the form of a stream that has ended: started first, one result last, numbers from 1 without a gap, time
    that does not go back."""
    events = list(events)
    assert [e["_id"] for e in events] == list(range(1, len(events) + 1)), [e["_id"] for e in events][:20]
    assert events[0]["type"] == "started" and events[0]["execution_id"]
    assert [e["type"] for e in events if e["type"] in ("result", "error")] == [events[-1]["type"]]
    assert all(e["_event"] == e["type"] for e in events)
    times = [e["at_ms"] for e in events if "at_ms" in e]
    assert times == sorted(times)
    return events


def pid_gone(word, patience=60):
    left = helpers.poll(lambda: load.running(word), patience)
    assert not left, "still there: %s" % left


def pid_there(word):
    assert not helpers.poll(lambda: not load.running(word), 60), "%s never ran" % word


def raw_request(service, path, body, more="", method="POST", key=None):
    """A connection on which one request was sent."""
    at = urllib.parse.urlsplit(service.url)
    s = socket.create_connection((at.hostname, at.port), timeout=120)
    text = json.dumps(body)
    s.sendall(("%s %s%s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n%s\r\n%s"
               % (method, BASE, path, key or service.key, len(text), more, text)).encode())
    return s


# ---- order and completeness ----

def test_both_streams_arrive_in_the_order_in_which_they_were_written(service):
    """They are two pipes: the program goes on when the one is empty, so that only whoever reads them can mix them
    up."""
    code = '''import array, fcntl, os, termios, time
def say(fd, text):
    os.write(fd, text.encode())
    left = array.array("i", [1])
    while left[0]:
        time.sleep(0.001)
        fcntl.ioctl(fd, termios.FIONREAD, left)
for i in range(1, 51):
    say(1, "o%d\\n" % i)
    say(2, "e%d\\n" % i)
'''
    events = whole(service.stream(code, "python"))
    assert text_of(events, "stdout") == "".join("o%d\n" % i for i in range(1, 51))
    assert text_of(events, "stderr") == "".join("e%d\n" % i for i in range(1, 51))
    said = "".join(e["data"] for e in events if e["type"] in ("stdout", "stderr")).split()
    assert said == [w for i in range(1, 51) for w in ("o%d" % i, "e%d" % i)]
    result = events[-1]["result"]
    helpers.check_result(result)
    assert result["stdout"] == text_of(events, "stdout") and result["stderr"] == text_of(events, "stderr")


def test_five_megabytes_arrive_whole(service):
    code = "import sys\nfor i in range(81920): sys.stdout.write('%063d\\n' % i)\n"
    events = whole(service.stream(code, "python", risk_level="low"))
    expected = b"".join(b"%063d\n" % i for i in range(81920))
    got = bytes_of(events, "stdout")
    assert len(got) == len(expected) == 5 << 20 and hashlib.sha256(got).digest() == hashlib.sha256(expected).digest()
    assert not events[-1]["result"]["stdout_truncated"]


def test_bytes_that_are_no_text_arrive_as_they_are(service):
    blob = bytes(range(256)) * 8
    events = whole(service.stream("import sys; sys.stdout.buffer.write(bytes(range(256)) * 8)", "python"))
    assert bytes_of(events, "stdout") == blob
    assert "\ufffd" in text_of(events, "stdout")


def test_a_letter_that_is_cut_by_a_write_is_whole_in_the_stream(service):
    """«ä» in two writes: either one event, or bytes from which it can be put together."""
    code = "import os, time\nfor b in 'aäö€'.encode(): os.write(1, bytes([b])); time.sleep(0.02)"
    events = whole(service.stream(code, "python"))
    assert bytes_of(events, "stdout").decode() == "aäö€"


def test_an_event_arrives_before_the_program_ends(service):
    word = load.seconds(5)
    events = service.stream("echo first; sleep " + word, "bash")
    seen = [next(events), next(events)]
    assert [e["type"] for e in seen] == ["started", "stdout"] and seen[1]["data"] == "first\n"
    pid_there(word)
    events.close()
    pid_gone(word)


def test_a_refused_run_is_an_http_error_and_no_stream(service):
    answer = service.request("POST", "/execute",
                             json={"language": "bash", "code": "", "stream": True, "risk_level": "extreme"})
    assert answer.status_code in (400,
                                  422) and answer.headers["Content-Type"].startswith("application/json"), answer.text


def test_asked_for_by_accept_it_is_a_stream_as_well(service):
    answer = service.execute("echo hi", "bash", headers={"Accept": "text/event-stream"})
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    assert load.events_in(answer.content)[-1]["result"]["stdout"] == "hi\n"


# ---- live, replayed, resumed ----

def test_the_replay_equals_what_was_seen_live(service):
    execution = service.submit("for i in 1 2 3 4 5; do echo $i; echo $i >&2; sleep 0.02; done; exit 3", "bash")
    live = whole(service.events(execution))
    again = whole(service.events(execution))
    assert again == live and live[-1]["result"]["exit_code"] == 3
    assert service.finished(execution)["result"] == live[-1]["result"]


def test_a_stream_is_resumed_behind_the_last_event_that_was_seen(service):
    execution = service.submit("for i in $(seq 20); do echo $i; sleep 0.02; done", "bash")
    events = whole(service.events(execution))
    for number in (0, 1, 7, len(events) - 1):
        by_header = list(service.events(execution, headers={"Last-Event-ID": str(number)}))
        assert by_header == events[number:], "after %d" % number
        assert list(service.events(execution, params={"from": number + 1})) == events[number:], "from %d" % (number + 1)


def test_many_watchers_see_the_same(service):
    execution = service.submit("for i in $(seq 30); do echo $i; sleep 0.02; done", "bash")
    seen = [None] * 8

    def watch(i):
        seen[i] = whole(service.events(execution, session=service.connection()))
    threads = [threading.Thread(target=watch, args=(i,)) for i in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join(120)
    assert seen[0] and all(s == seen[0] for s in seen)


@pytest.mark.parametrize("number", ["-1", "x", "99999999999999999999999", "1e3"])
def test_a_number_that_is_none_is_refused(service, number):
    execution = service.submit("true", "bash")
    service.finished(execution)
    answer = service.request("GET", "/executions/%s/events" % execution, params={"from": number})
    assert answer.status_code in (400, 422), (answer.status_code, answer.text[:200])


def test_a_quiet_stream_is_kept_alive_by_comments(service):
    """Every ten seconds."""
    if os.geteuid() != 0:
        helpers.skip("eleven seconds of waiting, once: as root")
    with contextlib.closing(raw_request(service, "/execute",
                                        {"language": "bash", "code": "sleep 600", "stream": True})) as s:
        data = b""
        while b"\n: keep-alive\n" not in data:
            chunk = s.recv(65536)
            assert chunk and b"result" not in data, data
            data += chunk


# ---- clients that go away ----

@pytest.mark.parametrize("stream", [False, True])
def test_a_client_that_goes_away_ends_its_run(service, stream):
    word = load.seconds(7 + stream)
    before = len(service.request("GET", "/executions", params={"reason": "killed"}).json()["executions"])
    s = raw_request(service, "/execute", {"language": "bash", "code": "sleep %s" % word, "stream": stream})
    pid_there(word)
    s.close()
    pid_gone(word)

    def killed():
        return len(service.request("GET", "/executions", params={"reason": "killed"}).json()["executions"])
    assert not helpers.poll(lambda: killed() == before, 60), "no execution was ended as killed"


def test_a_client_that_resets_its_connection_ends_its_run(service):
    word = load.seconds(9)
    s = raw_request(service, "/execute", {"language": "bash", "code": "sleep " + word})
    pid_there(word)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    s.close()
    pid_gone(word)


def test_a_client_that_goes_away_while_output_flows_ends_its_run(service):
    word = load.seconds(11)
    s = raw_request(service, "/execute",
                    {"language": "bash", "code": "sleep %s & while :; do echo y; sleep 0.01; done" % word,
                     "stream": True, "risk_level": "low"})
    pid_there(word)
    s.close()
    pid_gone(word)


def test_a_client_that_goes_away_leaves_others_and_asynchronous_ones_alone(service):
    word, gate = load.seconds(13), service.gate()
    execution = service.submit(gate.wait + "echo alive", "bash", volumes=gate.volumes)
    watcher = raw_request(service, "/executions/%s/events" % execution, {}, method="GET")
    gone = raw_request(service, "/execute", {"language": "bash", "code": "sleep " + word})
    pid_there(word)
    watcher.close()
    gone.close()
    pid_gone(word)
    gate.open()
    assert service.finished(execution)["result"]["stdout"] == "alive\n"


def test_an_execution_is_killed_by_delete_and_its_stream_ends_with_the_result(service):
    word = load.seconds(15)
    execution = service.submit("echo begun; sleep " + word, "bash")
    events = service.events(execution)
    first = [next(events), next(events)]
    pid_there(word)
    answer = service.request("DELETE", "/executions/" + execution, session=service.connection())
    assert answer.status_code == 202 and answer.json()["execution_id"] == execution
    rest = list(events)
    pid_gone(word)
    assert whole(first + rest)[-1]["result"]["reason"] == "killed"
    assert service.finished(execution)["result"]["stdout"] == "begun\n"
    assert service.request("DELETE", "/executions/" + execution).status_code == 409


def test_a_queued_execution_is_killed_by_delete_without_ever_running(make_service):
    service = make_service({**load.UNLIMITED,
                            "rate_limiting": {"enabled": True, "global": {"max_concurrent_executions": 1}}})
    words = load.seconds(17), load.seconds(19)
    first = service.submit("sleep " + words[0], "bash")
    pid_there(words[0])
    second = service.submit("sleep " + words[1], "bash")
    assert service.execution(second)["state"] == "queued"
    assert service.request("DELETE", "/executions/" + second).status_code == 202
    assert service.finished(second)["reason"] == "killed"
    assert service.request("DELETE", "/executions/" + first).status_code == 202
    pid_gone(words[0])
    assert not load.running(words[1]) and load.audited(service, "execution-finished")[second] <= 1


# ---- slow readers ----

def connected(service, sockets):
    """Of these clients' sockets: those whose other end the service has open. Looked up, since whoever reads to find out
    is no slow reader."""
    port, ports = urllib.parse.urlsplit(service.url).port, {s.getsockname()[1] for s in sockets}
    rows = [line.split()[1:4] for line in helpers.read("/proc/net/tcp").splitlines()[1:]]
    ends = [(int(local.rpartition(":")[2], 16), int(remote.rpartition(":")[2], 16))
            for local, remote, state in rows if state == "01"]
    return [there for here, there in ends if here == port and there in ports]


def rss_kib(service):
    return sum(int(helpers.status(p)["VmRSS"].split()[0]) for p in service.pids("sandboxd"))


def test_clients_that_do_not_read_hold_nobody_up_and_no_memory(make_service):
    """Ten clients take nothing of five megabytes each, live and replayed, while others work."""
    service = make_service({**load.UNLIMITED, "endpoints": {"api": {"write_timeout": "2s"}}})
    service.run("true", "bash")
    before = rss_kib(service)
    code = "head -c 5242880 /dev/zero | tr '\\0' x"
    lazy = [raw_request(service, "/execute", {"language": "bash", "code": code, "stream": True, "risk_level": "low"},
                        "X-Lazy: %d\r\n" % i, key=service.override())
            for i in range(10)]
    for s in lazy:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    with load.Load(service, clients=4, kinds=("sync",)) as others:
        others.wait_for(40)
    others.check_replies()
    grown = rss_kib(service) - before
    # 64 MiB of finished ones are kept on purpose; of each that nobody takes, its events, its result and its answer are
    assert grown < (64 + 10 * 3 * 5) << 10, "%d KiB for ten who do not read" % grown
    assert not helpers.poll(lambda: connected(service, lazy), 60,
                            every=0.2), "whoever does not read is connected for ever"
    large = [log for log in service.log_dir.glob("low-risk_*.log") if b"x" * 65536 in log.read_bytes()]
    assert len(large) == 10, "at a stricter level nothing of this is printed, and there is nothing to read"
    for s in lazy:
        s.close()


def test_a_slow_reader_gets_everything(service):
    """A pause before each piece, within the write timeout: late, but whole."""
    at = urllib.parse.urlsplit(service.url)
    connection = http.client.HTTPConnection(at.hostname, at.port, timeout=60)
    body = json.dumps({"language": "python", "code": "print('z' * 1500000)", "stream": True, "risk_level": "low"})
    connection.request("POST", BASE + "/execute", body, {"Authorization": "Bearer " + service.key})
    answer, data = connection.getresponse(), b""
    while chunk := answer.read(100000):
        data += chunk
        time.sleep(0.05)
    connection.close()
    events = load.events_in(data)
    assert text_of(events, "stdout") == "z" * 1500000 + "\n" and events[-1]["result"]["reason"] == "completed"
