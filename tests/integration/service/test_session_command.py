"""`sandbox-agent session start|list|exec|shell|cp|snapshot|...`: sessions of a service, from a shell."""
import contextlib
import fcntl
import json
import os
import signal
import stat
import struct
import termios

import pytest

import helpers
import load
from service import Service

UMASK = os.umask(0)
os.umask(UMASK)


@pytest.fixture(scope="module")
def box():
    b = helpers.Box()
    with contextlib.closing(b):
        yield b


@pytest.fixture(scope="module")
def service():
    with Service(load.UNLIMITED) as s:
        yield s


class Shell:
    """The words `sandbox-agent session` with a key of the service."""

    def __init__(self, box, service):
        self.box, self.service = box, service
        self.env = {"SANDBOX_AGENT_URL": service.url, "SANDBOX_AGENT_API_KEY": service.override()}
        self.id = self.start("--metadata", "of=all")

    def __call__(self, *words, **more):
        return self.box.agent("session", *words, env=self.env, **more)

    def start(self, *words):
        done = self("start", "--risk-level", "low", "--agent-id", "shell", *words)
        assert done.code == 0 and done.err == b"", done
        return done.text.strip()

    def exec(self, *words, **more):
        return self("exec", self.id, *words, **more)

    def good(self, *words, **more):
        done = self(*words, **more)
        assert (done.code, done.err) == (0, b""), done
        return done.text

    def listed(self, *words):
        return {s["session_id"]: s for s in json.loads(self.good("list", "--json", *words))["sessions"]}


@pytest.fixture(scope="module")
def shell(box, service):
    return Shell(box, service)


@pytest.fixture
def place(box):
    """A directory for what is copied, made anew."""
    box.places = getattr(box, "places", 0) + 1
    path = box.dir / ("copies-%d" % box.places)
    path.mkdir()
    return path


def test_start_list_and_end(shell):
    made = json.loads(shell.good("start", "--risk-level", "low", "--agent-id", "second", "--ttl", "10m", "--env",
                                 "A=1=2", "--metadata", "task=a b&c", "--metadata", "n=1", "--json"))
    assert made["metadata"] == {"task": "a b&c", "n": "1"} and made["agent_id"] == "second"
    one = made["session_id"]
    assert shell("exec", one, "--", "sh", "-c", "echo $A").text == "1=2\n"
    assert set(shell.listed("--metadata", "task=a b&c")) == {one}
    assert {one, shell.id} <= set(shell.listed("--state", "running"))
    lines = shell.good("list").splitlines()
    assert lines[0].split() == ["SESSION", "AGENT", "LEVEL", "STATE", "JOBS", "EXPIRES", "METADATA"]
    row = next(line.split() for line in lines if one in line)
    assert row[:5] == [one, "second", "low", "running", "1+0"] and sorted(row[6:]) == ["b&c", "n=1", "task=a"]
    assert shell("exec", one, "--", "sh", "-c", "echo kept > f").code == 0
    kept = shell.good("snapshot", one).strip()
    again = shell.start("--from", kept)
    assert shell("exec", again, "--", "cat", "f").text == "kept\n" and shell.good("end", again) == ""
    head, row = shell.good("snapshots", "list").splitlines()
    assert head.split()[:3] == ["SNAPSHOT", "AGENT", "LEVEL"] and row.split()[:3] == [kept, "second", "low"], row
    shown, = json.loads(shell.good("snapshots", "list", "--json"))["snapshots"]
    assert shown["session_id"] == one and row.split()[-1] == one
    refused = shell("snapshots", "remove", kept, "snap-0")  # each is tried
    assert refused.code == 2 and "no snapshot snap-0" in refused.words, refused.words
    assert len(shell.good("snapshots", "list").splitlines()) == 1
    key = {"key": shell.env["SANDBOX_AGENT_API_KEY"]}
    made = shell.service.request("POST", "/sessions/%s/contexts" % one, json={"language": "python"}, **key)
    context = made.json()["context_id"]
    kept = shell.good("checkpoint", one, context)
    assert shell("exec", one, "--", "sh", "-c", "echo other > f").code == 0
    assert shell.good("undo", one, context, kept.strip()) == shell.good("undo", one, context) == kept
    assert shell("exec", one, "--", "cat", "f").text == "kept\n"
    assert shell("undo", one).code == 2 and "there is no checkpoint" in shell("undo", one).words
    alone = shell.good("checkpoint", one)  # of the workspace, without a context
    assert shell("exec", one, "--", "sh", "-c", "rm f").code == 0
    assert shell.good("undo", one) == shell.good("undo", one, alone.strip()) == alone
    assert shell("exec", one, "--", "cat", "f").text == "kept\n"
    for verb, state in (("pause", "paused"), ("resume", "running")):
        assert shell.good(verb, one) == "" and shell.listed()[one]["state"] == state
    assert shell.good("end", one) == ""
    assert not helpers.poll(lambda: one in shell.listed("--state", "running"), 60)
    assert shell.listed("--state", "ended")[one]["end"] == "deleted"
    gone = shell("end", one, "session-none")
    assert gone.code != 0 and one in gone.words and "session-none" in gone.words, gone


def test_exec_passes_bytes_both_ways_and_ends_with_the_jobs_code(shell):
    data = bytes(range(256)) * 500
    done = shell.exec("--", "sh", "-c", "cat; printf 'a\\377b' >&2; exit 7", input=data)
    assert (done.out, done.err, done.code) == (data, b"a\xffb", 7)
    assert shell.exec("--", "sh", "-c", "kill -TERM $$").code == 128 + signal.SIGTERM
    late = shell.exec("--timeout", "200ms", "--", "sleep", "60")
    assert late.code == 124 and "timeout" in late.words, late
    assert shell.exec("--", "/nowhere").refused(127, "/nowhere")
    assert shell.exec("--", "/etc/passwd").refused(126, "/etc/passwd")
    assert shell.exec("--cwd", "/nowhere", "--", "true").refused(2, "working directory"), "as without a service"
    code = "import sys; print(sys.argv[1:], input())"
    said = shell.exec("-c", code, "--language", "python", "--", "a b", "--c", input="in\n")
    assert (said.text, said.code) == ("['a b', '--c'] in\n", 0), said
    assert shell.exec("--cwd", "/tmp", "--env", "X=y", "--", "sh", "-c", "pwd; echo $X").text == "/tmp\ny\n"


def test_exec_shows_output_as_it_comes(shell):
    waiting = "echo ready; while [ ! -e go ]; do sleep 0.05; done; echo over"
    live = shell.box.start("session", "exec", shell.id, "--", "sh", "-c", waiting, env=shell.env)
    live.wait_for(b"ready")
    assert shell.exec("--", "touch", "go").code == 0
    assert live.finish().code == 0
    shell.exec("--", "rm", "go")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_job(shell, number):
    live = shell.box.start("session", "exec", shell.id, "--", "sh", "-c", "echo ready; exec sleep 3600", env=shell.env)
    live.wait_for(b"ready")
    live.process.send_signal(number)
    assert live.process.wait(60) == (-number if number == signal.SIGINT else 128 + number)
    assert not helpers.poll(lambda: shell.listed()[shell.id]["jobs_running"], 60)
    assert shell.exec("--", "echo", "still here").text == "still here\n"


def test_cp_of_a_file(shell, place):
    tool = place / "tool"
    tool.write_bytes(b"#!/bin/sh\necho \"$@\"; printf '\\0\\377' > /workspace/made\n")
    tool.chmod(0o755)
    shell.good("cp", tool, shell.id + ":in/")
    done = shell.exec("--", "/workspace/in/tool", "x")
    assert done.text == "x\n", done
    shell.good("cp", shell.id + ":/workspace/made", place)
    assert (place / "made").read_bytes() == b"\0\xff"
    shell.good("cp", shell.id + ":in/tool", place / "back")
    assert (place / "back").read_bytes() == tool.read_bytes()
    assert stat.S_IMODE((place / "back").stat().st_mode) == 0o755 & ~UMASK
    shell("cp", shell.id + ":nothing", place / "x").refused(2, "nothing", "no such file")
    shell("cp", place / "none", shell.id + ":x").refused(2, "none", "No such file")
    assert not (place / "x").exists() and sorted(p.name for p in place.iterdir()) == ["back", "made", "tool"]


def test_cp_of_a_directory(shell, place):
    (place / "from/deep").mkdir(parents=True)
    (place / "from/deep/a b").write_text("1")
    (place / "from/link").symlink_to("deep/a b")
    shell.good("cp", place / "from", shell.id + ":tree")
    victim = place / "victim"
    victim.mkdir()
    said = shell.exec("--", "sh", "-c", "cat tree/link; mkfifo tree/fifo; ln -s %s tree/out; "
                      "echo 2 > tree/new; chmod u+s tree/new" % victim)
    assert said.text == "1", said
    shell.good("cp", shell.id + ":tree", place / "to")
    assert (place / "to/deep/a b").read_text() == "1" and os.readlink(place / "to/out") == str(victim)
    assert not (place / "to/fifo").exists() and not (place / "to/new").stat().st_mode & stat.S_ISUID
    shell.exec("--", "sh", "-c", "rm tree/out; mkdir tree/out; echo evil > tree/out/evil")
    again = shell("cp", shell.id + ":tree", place / "to")
    assert not list(victim.iterdir()), "a link that an earlier copy brought was followed"
    again.refused(2, "out")


def test_ps_shows_a_session_and_its_job(shell):
    live = shell.box.start("session", "exec", shell.id, "--", "sh", "-c", "echo ready; exec sleep 3600", env=shell.env)
    live.wait_for(b"ready")
    try:
        runs = json.loads(shell.box.agent("ps", "--json", env=shell.env).text)["runs"]
        told = {r["id"]: (r["kind"], r["agent_id"], r["risk_level"], r["state"]) for r in runs}
        assert told[shell.id] == ("session", "shell", "low", "running"), told
        jobs = [kind for name, (kind, agent, *_) in told.items() if name.startswith("job-") and agent == "shell"]
        assert jobs == ["execution"], told
    finally:
        live.process.send_signal(signal.SIGTERM)
        live.finish()


@pytest.mark.parametrize("words, said", [
    ([], "start|list|exec|shell|cp|snapshot|snapshots|checkpoint|undo|pause|resume|end"),
    (["fly"], "fly: no such command"), (["start", "--ttl", "soon"], "--ttl soon"),
    (["start", "--env", "A"], "NAME=VALUE"), (["start", "--state", "x"], "--state"),
    (["start", "--ttl"], "needs a value"), (["start", "--risk-level", "none"], "risk_level"),
    (["list", "--state", "odd"], "state"), (["exec"], "ID of the session"), (["exec", "s", "ls"], "behind --"),
    (["exec", "s"], "what is to run"), (["exec", "s", "-c", "1"], "--language"),
    (["exec", "s", "--language", "python", "--", "x"], "-c CODE"),
    (["exec", "session-none", "--", "true"], "no session session-none"), (["cp", "a"], "ID:PATH"),
    (["cp", "a", "b"], "ID:PATH"), (["cp", "a:b", "c:d"], "ID:PATH"), (["cp", "a:/etc/passwd", "x"], "/workspace"),
    (["shell"], "ID of the session"), (["shell", "s", "ls"], "behind --"), (["shell", "s"], "no terminal"),
    (["undo"], "ID of the session"), (["snapshots"], "list, or remove"), (["snapshots", "remove"], "ID of a snapshot"),
    (["snapshots", "list", "x"], "list, or remove"), (["end"], "ID of a session"), (["pause"], "ID of a session")])
def test_what_is_wrong_is_said_in_a_line_and_a_remedy(shell, words, said):
    shell(*words).refused(2, said)


def test_what_the_service_refuses_and_where_there_is_none(shell):
    distrusted = shell("start", "--risk-level", "high").text.strip()
    shell("exec", distrusted, "--", "true").refused(123, "403", "contexts only")
    shell.good("end", distrusted)
    shell("list", "--url", "http://127.0.0.1:1").refused(125, "127.0.0.1:1")
    ended = shell.start()
    shell.good("end", ended)
    assert not helpers.poll(lambda: shell.listed()[ended]["state"] != "ended", 60)
    shell("exec", ended, "--", "true").refused(125, "has ended: deleted")
    stranger = {**shell.env, "SANDBOX_AGENT_API_KEY": "sa_" + "A" * 43}
    shell.box.agent("session", "list", env=stranger).refused(2, "401", "SANDBOX_AGENT_API_KEY")


def test_shell_becomes_the_terminal(shell):
    main, terminal = os.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", 33, 99, 0, 0))
    before = termios.tcgetattr(terminal)
    live = shell.box.start("session", "shell", "--env", "PS1=$ ", shell.id, "--", "bash", "--norc", env=shell.env,
                           stdin=terminal)
    try:
        live.wait_for(b"$ ")
        os.write(main, b"stty size; cd /tmp; echo in $PWD\n")
        assert b"33 99" in live.wait_for(b"in /tmp\r\n")
        nap = load.seconds(201)
        os.write(main, b"sleep %s\n" % nap.encode())
        assert not helpers.poll(lambda: not load.running(nap), 60)
        os.write(main, b"\x03")
        live.wait_for(b"^C")
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", 44, 111, 0, 0))
        live.process.send_signal(signal.SIGWINCH)  # it is not its controlling terminal, so the kernel tells it nothing
        assert not helpers.poll(lambda: os.write(main, b"stty size\n") and b"44 111" not in live.wait_for(b"$ "), 60)
        os.write(main, b"exit 7\n")
        assert live.finish().code == 7
        assert termios.tcgetattr(terminal) == before
    finally:
        os.close(main)
        os.close(terminal)
