"""`sandbox-agent ps` and `sandbox-agent top`: what runs, from the service and from the command line itself."""
import contextlib
import json
import os
import pty
import select
import signal
import termios
import time

import pytest

import helpers
import load
from service import BASE, Service

BUSY = "while sleep 0.1; do :; done"  # and no more: a kill switch of a stricter level would end it


@pytest.fixture(scope="module")
def box():
    b = helpers.Box()
    with contextlib.closing(b):
        yield b


@pytest.fixture(scope="module")
def service():
    with Service(load.UNLIMITED) as s:
        yield s


def words(service, key=None):
    return {"SANDBOX_AGENT_URL": service.url, "SANDBOX_AGENT_API_KEY": key or service.key}


def listed(box, service, *options):
    done = box.agent("ps", "--json", *options, env=words(service))
    assert done.code == 0, done
    return json.loads(done.text)["runs"]


def cpu_of(row):
    return row and row["usage"] and row["usage"]["cpu_ms"]


@contextlib.contextmanager
def busy(service, agent):
    """An execution that goes on until the end of the block."""
    made = service.submit(BUSY, "bash", agent_id=agent, risk_level="medium", limits={"timeout": 110})
    try:
        yield made
    finally:
        service.request("DELETE", "/executions/" + made)
        service.finished(made)


def test_ps_lists_what_the_service_runs_with_what_it_uses(box, service):
    with busy(service, "busy-one") as made:
        def row():
            return next((r for r in listed(box, service) if r["id"] == made), None)
        assert not helpers.poll(lambda: not cpu_of(row()), 60)
        found = row()
        told = {k: found[k] for k in ("kind", "agent_id", "language", "risk_level", "state")}
        level = service.execution(made)["risk_level"]
        assert told == {"kind": "execution", "agent_id": "busy-one", "language": "bash", "risk_level": level,
                        "state": "running"}
        usage = found["usage"]
        assert usage["memory_bytes"] > 0 and usage["pids"] >= 1 and usage["cpu_cores"] > 0 and found["age_ms"] > 0
        assert (usage["bytes_out"], usage["bytes_in"]) == (0, 0)
        plain = box.agent("ps", "--sort", "cpu", env=words(service))
        assert plain.code == 0 and "\x1b" not in plain.text, plain
        lines = plain.text.splitlines()
        assert lines[0].split() == ["KIND", "RUN", "AGENT", "LANGUAGE", "LEVEL", "STATE", "AGE", "CPU", "CPU%",
                                    "MEMORY", "PROCS", "OUT/IN"]
        assert any(line.split()[:6] == ["execution", made, "busy-one", "bash", level, "running"] for line in lines)
        piped = box.agent("top", env=words(service))  # no terminal: once
        assert piped.code == 0 and made in piped.text and "\x1b" not in piped.text, piped
    assert all(r["id"] != made for r in listed(box, service))


def test_ps_lists_what_a_command_line_runs_by_itself(box, service):
    live = box.start("--language", "bash", "--risk-level", "medium", "-c", "echo ready; " + BUSY)
    live.wait_for(b"ready")
    try:
        def row():
            return next((r for r in listed(box, service) if r["id"] == str(live.process.pid)), None)
        assert not helpers.poll(lambda: not cpu_of(row()), 60)
        found = row()
        told = {k: found[k] for k in ("kind", "agent_id", "language", "risk_level", "state")}
        assert told == {"kind": "direct", "agent_id": None, "language": "bash", "risk_level": "medium",
                        "state": "running"}
        assert found["usage"]["memory_bytes"] > 0 and found["usage"]["pids"] >= 2  # init and the program
    finally:
        live.process.send_signal(signal.SIGTERM)
        live.finish()


def test_ps_says_what_is_wrong(box, service):
    box.agent("ps", "--sort", "colour").refused(2, "--sort colour", "memory")
    box.agent("ps", "--every", "1").refused(2, "--every")
    box.agent("top", "--every", "0").refused(2, "--every 0", "3600")
    box.agent("ps", "--url").refused(2, "--url", "value")
    box.agent("ps", env=words(service, "sa_" + "A" * 43)).refused(2, "401", "SANDBOX_AGENT_API_KEY")
    box.agent("ps", env=words(service, "no key")).refused(2, "SANDBOX_AGENT_API_KEY")
    box.agent("ps", "--url", "http://127.0.0.1:1" + BASE).refused(125, "127.0.0.1:1")
    key = box.file("key", service.key)
    box.agent("ps", "--url", "http://sandbox.example.org", "--key-file", key).refused(2, "in the clear", "https")


class Terminal:
    """`sandbox-agent top` on a terminal of 40 lines of 160 columns."""

    def __init__(self, box, service, *options):
        self.primary, self.secondary = pty.openpty()
        termios.tcsetwinsize(self.primary, (40, 160))
        self.before = termios.tcgetattr(self.secondary)
        self.seen = ""
        self.run = box.start("top", *options, stdin=self.secondary, stdout=self.secondary, stderr=self.secondary,
                             env={**words(service), "TERM": "xterm"})

    def wait(self, needle, patience=60):
        until = time.monotonic() + patience
        while needle not in self.seen:
            assert time.monotonic() < until, (needle, self.seen[-3000:])
            self.read()
        return self.seen

    def read(self):
        if select.select([self.primary], [], [], 1)[0]:
            self.seen += os.read(self.primary, 65536).decode(errors="replace")

    def type(self, text):
        self.seen = ""
        os.write(self.primary, text.encode())

    def choose(self, run, patience=60):
        """Until this run is the one that is marked: runs of other tests come and go around it."""
        until, is_moved = time.monotonic() + patience, False
        while True:
            assert time.monotonic() < until, self.seen[-3000:]
            self.wait(run)
            rows = self.seen.rpartition("\x1b[2J")[2].splitlines()
            at = [i for i, row in enumerate(rows) if run in row]
            marked = [i for i, row in enumerate(rows) if "\x1b[7m" in row and "\x1b[0m" in row]
            if at and at == marked and is_moved:
                return
            if at and marked:  # where it is marked by chance, an arrow there and back makes it a choice
                is_moved = True
                self.type("\x1b[A" if at[0] < marked[0] else "\x1b[B")
            self.read()  # at the latest the next look draws all of it again

    def close(self):
        helpers.kill_quietly(self.run.process.pid)
        self.run.process.wait()
        os.close(self.primary)
        os.close(self.secondary)


def test_top_ends_a_run_and_quarantines_its_agent_with_a_reason(box, service):
    with busy(service, "noisy") as made, contextlib.closing(Terminal(box, service, "--every", "1")) as top:
        top.wait(made)
        top.type("a")
        top.wait("by agent")
        top.choose(made)
        top.type("Q")
        top.wait("quarantine noisy; reason")
        top.type("too loud\r")
        top.wait("quarantine noisy: done")
        assert service.request("GET", "/agents/noisy").json()["standing"] == "quarantined"
        top.type("e")
        top.wait("end %s; reason" % made)
        top.type("enough & <more>\r")
        top.wait("end %s: done" % made)
        assert service.finished(made)["reason"] == "killed"
        event = service.request("GET", "/audit", params={"action": "execution-stopped", "last": 1}).json()["events"][0]
        assert event["event"]["reason"] == "enough & <more>" and made in json.dumps(event), event
        top.type("q")
        top.wait("\x1b[?1049l")
        assert top.run.process.wait(30) == 0
        assert termios.tcgetattr(top.secondary) == top.before


def test_top_gives_the_terminal_back_when_it_is_ended(box, service):
    with contextlib.closing(Terminal(box, service)) as top:
        top.wait("running or queued")
        top.run.process.send_signal(signal.SIGTERM)
        top.wait("\x1b[?1049l")
        assert top.run.process.wait(30) == 0
        assert termios.tcgetattr(top.secondary) == top.before
