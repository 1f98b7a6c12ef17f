"""Processes of a session: input that stays open, signals, terminals (docs/sessions.md)."""
import base64
import json
import os
import threading

import helpers
import load
import pytest
from service import Service, error_of

from test_sessions import Session


class Process:
    def __init__(self, session, command, **body):
        self.session, self.out, self.result = session, b"", None
        answer = session.ask("POST", "/processes", json={**({"command": command} if command else {}), **body})
        assert answer.status_code == 201, answer.text
        self.id = answer.json()["process_id"]
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        with self.ask("GET", "/events", stream=True, timeout=300) as answer:
            for line in answer.iter_lines():
                if line.startswith(b"data: "):
                    self.take(json.loads(line[6:]))

    def take(self, event):
        if event["type"] in ("stdout", "stderr"):
            self.out += base64.b64decode(event["data_base64"]) if "data_base64" in event else event["data"].encode()
        if event["type"] in ("result", "error"):
            self.result = event.get("result", event.get("error"))

    def ask(self, method="GET", path="", **kwargs):
        return self.session.ask(method, "/processes/%s%s" % (self.id, path), **kwargs)

    def write(self, data, eof=False):
        answer = self.ask("POST", "/stdin" + ("?eof" if eof else ""), data=data)
        assert answer.status_code == 200 and answer.json() == {"written": len(data)}, answer.text

    def signal(self, name):
        answer = self.ask("POST", "/signal", json={"signal": name})
        assert answer.status_code == 200, answer.text

    def says(self, text):
        assert not helpers.poll(lambda: text not in self.out, 60), (text, self.out)

    def ended(self):
        assert not helpers.poll(lambda: self.result is None, 60), self.out
        return self.result


@pytest.fixture(scope="module")
def service():
    with Service({**load.UNLIMITED}) as s:
        yield s


@pytest.fixture(scope="module")
def session(service):
    return Session(service, ttl=3600)


def test_input_is_read_as_it_comes(session):
    p = Process(session, "while read -r line; do echo \"got $line\"; done; echo over", stdin=True)
    p.write(b"one\n")
    p.says(b"got one\n")
    assert p.ask().json()["state"] == "running" and p.ask().json()["stdin"] is True
    p.write(b"two\n")
    p.says(b"got two\n")
    p.write(b"three\n", eof=True)
    assert p.ended()["stdout"] == "got one\ngot two\ngot three\nover\n"
    shown = p.ask().json()
    assert (shown["state"], shown["reason"], shown["stdin"], shown["pty"]) == ("finished", "completed", False, False)
    error_of(p.ask("POST", "/stdin", data=b"late\n"), 409, "conflict")


def test_without_stdin_there_is_none(session):
    p = Process(session, "cat; echo over")
    assert p.ended()["stdout"] == "over\n"


def test_a_terminal_is_one(session):
    p = Process(session, None, argv=["bash", "--norc", "-i"], pty={"rows": 31, "cols": 97}, env={"PS1": "$ "})
    p.write(b"tty -s && echo t''ty; stty size; echo $TERM\n")
    p.says(b"tty\r\n31 97\r\nxterm-256color\r\n")
    assert p.ask("POST", "/resize", json={"rows": 40, "cols": 120}).status_code == 200
    p.write(b"stty size\n")
    p.says(b"40 120\r\n")
    p.write(b"sleep 3600 & sh -c 'echo fr''ont; exec sleep 3601'\n")  # ^C ends what is in front, and nothing else
    p.says(b"front\r\n")
    p.write(b"\x03")
    p.says(b"^C")
    assert not helpers.poll(lambda: not p.out.endswith(b"$ "), 60), p.out  # what is typed before may be lost
    p.write(b"echo still $?\n")
    p.says(b"still 130\r\n")
    p.write(b"kill %1; exit 7\n")
    assert (lambda r: (r["reason"], r["exit_code"]))(p.ended()) == ("error", 7)


def test_a_new_size_is_told(session):
    loop = "while :; do sleep 0.05; done"
    p = Process(session, "trap 'stty size' WINCH; echo begun; " + loop, pty={"rows": 10, "cols": 20})
    p.says(b"begun")
    assert p.ask("POST", "/resize", json={"rows": 11, "cols": 22}).status_code == 200
    p.says(b"11 22")
    p.signal("SIGKILL")
    assert p.ended()["signal"] == 9


def test_end_of_file_on_a_terminal(session):
    p = Process(session, "cat; echo over", pty={"rows": 24, "cols": 80})
    p.write(b"x\n", eof=True)
    assert p.ended()["stdout"].endswith("over\r\n")


def test_signals_reach_all_of_it_and_nothing_else(session):
    other = Process(session, "trap 'echo hit' TERM USR1; echo begun; while :; do sleep 0.05; done")
    child = "(trap 'echo child; exit 0' USR1; echo a; while :; do sleep 0.05; done)"
    p = Process(session, "trap 'wait; echo caught; exit 3' USR1; " + child + " & echo b; wait; wait")
    other.says(b"begun")
    p.says(b"a\n"), p.says(b"b\n")
    p.signal("USR1")
    assert p.ended()["exit_code"] == 3
    assert b"caught" in p.out and b"child" in p.out
    assert b"hit" not in other.out
    other.signal(9)
    assert (other.ended()["reason"], other.ended()["signal"]) == ("signal", 9)
    error_of(other.ask("POST", "/signal", json={"signal": "TERM"}), 409, "conflict")


def test_processes_are_listed_and_ended(session, service):
    p = Process(session, "sleep 3600")
    listed = session.ask("GET", "/processes").json()["processes"]
    assert [q["state"] for q in listed if q["process_id"] == p.id] == ["running"]
    assert p.ask("DELETE").status_code == 202
    assert p.ended()["reason"] == "killed"
    job = session.answer("true", background=True).json()["execution_id"]
    service.finished(job)
    assert session.ask("GET", "/processes/" + job).status_code == 404  # a job, and no process
    elsewhere = Session(service)
    assert elsewhere.ask("GET", "/processes/" + p.id).status_code == 404
    assert elsewhere.ask("GET", "/processes").json() == {"processes": []}
    elsewhere.ask("DELETE")


def test_what_another_key_may(session, service):
    p = Process(session, "cat", stdin=True)
    path = "/sessions/%s/processes" % session.id
    other = service.new_key("run")
    for method, at, body in (("GET", "", None), ("GET", "/" + p.id, None), ("POST", "/%s/stdin" % p.id, "x"),
                             ("DELETE", "/" + p.id, None)):
        assert service.request(method, path + at, key=other, data=body).status_code == 404, (method, at)
    assert service.request("POST", path, key=other, json={"command": "true"}).status_code == 404
    assert service.request("POST", path + "/%s/stdin" % p.id, data="x").status_code == 403  # an admin sees it
    assert service.request("GET", path + "/" + p.id).status_code == 200
    p.write(b"", eof=True)
    assert p.ended()["stdout"] == ""


@pytest.mark.parametrize("body, field", [
    ({"command": "true", "pty": {"rows": 0, "cols": 80}}, "rows"), ({"command": "true", "pty": {"rows": 24}}, "cols"),
    ({"command": "true", "pty": {"rows": 24, "cols": 1001}}, "cols"),
    ({"command": "true", "pty": {"rows": 24, "cols": 80, "x": 1}}, "x"),
    ({"command": "true", "pty": True}, "pty"), ({"command": "true", "stdin": "text"}, "stdin"),
    ({"command": "true", "background": True}, "background"), ({"stdin": True}, "command")])
def test_what_cannot_be_begun(session, body, field):
    answer = session.ask("POST", "/processes", json=body)
    assert answer.status_code in (400, 422), answer.text
    assert field in answer.json()["error"]["details"]["field"], answer.text


def test_what_is_not_there_is_told_at_its_end(session):
    ended = Process(session, None, argv=["/nowhere"]).ended()
    assert "EXEC" in json.dumps(ended["error"] if "error" in ended else ended), ended


def test_what_cannot_be_told(session):
    p = Process(session, "cat", stdin=True)
    for signal in ("SIGNONE", "", 0, 64, -1, None):
        error_of(p.ask("POST", "/signal", json={"signal": signal}), 422, "invalid_value")
    error_of(p.ask("POST", "/resize", json={"rows": 24, "cols": 80}), 409, "conflict")  # it has no terminal
    assert p.ask("POST", "/stdin?x=1", data=b"").status_code == 400
    p.write(b"", eof=True)
    assert p.ended()["exit_code"] == 0


def test_what_is_not_read_is_said(session):
    p = Process(session, "exec 0<&-; echo begun; sleep 3600", stdin=True)
    p.says(b"begun")
    refused = p.ask("POST", "/stdin", data=bytes(1 << 20))
    assert "bytes were taken" in error_of(refused, 409, "conflict")["message"]
    p.signal("KILL")
    assert p.ended()["signal"] == 9


def test_live_input_earns_no_trust(service):
    """What is typed has been scanned by none; the same work given at once earns as ever."""
    work, trust = "echo $((6*7)); ls / | wc -l", {}
    for agent in ("typist", "author"):
        own = Session(service, agent_id=agent)
        if agent == "author":
            assert own.run(work)["stdout"].startswith("42\n")
        else:
            p = Process(own, None, argv=["bash"], stdin=True)
            p.write(work.encode(), eof=True)
            assert p.ended()["stdout"].startswith("42\n")
        trust[agent] = service.request("GET", "/agents/" + agent).json()["trust"]
        own.ask("DELETE")
    assert trust == {"typist": 0.5, "author": 0.55}


def test_nothing_of_them_is_left(service):
    """Descriptors of the service, and processes inside, after many that ended in every way."""
    own = Session(service)

    def descriptors():
        return len(os.listdir("/proc/%d/fd" % service.process.pid))

    def one(**body):
        p = Process(own, "cat", **body)
        p.write(b"x\n")
        p.signal("KILL")
        p.ended()
    one(stdin=True)
    before = descriptors()
    for _ in range(10):
        one(stdin=True)
        one(pty={"rows": 24, "cols": 80})
    # connections may come and go
    assert not helpers.poll(lambda: descriptors() > before + 5, 60), (before, descriptors())
    nap = load.seconds(301)
    last = Process(own, "sleep %s & sleep %s" % (nap, nap), pty={"rows": 24, "cols": 80})
    assert not helpers.poll(lambda: len(load.running(nap)) != 2, 60)
    own.ask("DELETE")
    assert last.ended()["reason"] == "killed"
    assert not helpers.poll(lambda: load.running(nap), 60)


def test_the_code_cannot_feed_its_terminal(session):
    """TIOCSTI would put words into the input of what comes after it; the other side of the terminal is out of reach."""
    code = ("import fcntl, os\n"
            "for name, call in (('TIOCSTI', lambda: fcntl.ioctl(0, 0x5412, b'x')),\n"
            "                   ('TIOCGPTPEER', lambda: fcntl.ioctl(0, 0x5441, 0)),\n"
            "                   ('ttyname', lambda: open(os.ttyname(0)))):\n"
            "    try:\n"
            "        call()\n"
            "        print(name, 'done')\n"
            "    except OSError as e:\n"
            "        print(name, 'refused')\n")
    p = Process(session, None, language="python", code=code, pty={"rows": 24, "cols": 80})
    assert p.ended()["stdout"] == "TIOCSTI refused\r\nTIOCGPTPEER refused\r\nttyname refused\r\n", p.out
