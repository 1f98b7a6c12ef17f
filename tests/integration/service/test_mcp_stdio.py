"""`sandbox-agent mcp`: the Model Context Protocol on standard input and output.

With the private service that it starts, and with one that is named.
"""
import contextlib
import json
import os
import pathlib
import pwd
import re
import shutil
import signal
import subprocess
import tempfile

import helpers
import pytest
from service import Service

META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


class Home:
    """A user without a service, and the programs that this user starts."""
    def __init__(self):
        helpers.become_subreaper()
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="test-mcp-")).resolve()
        self.dir.chmod(0o755)
        self.env = {"PATH": "/usr/bin:/bin", "HOME": str(self.dir), "LC_ALL": "C.UTF-8",
            "CACHE_DIRECTORY": str(self.dir / "cache")}
        for name in ("state", "log", "cache", "config"):
            (self.dir / name).mkdir()
            self.env["XDG_%s_HOME" % name.upper()] = str(self.dir / name)
        self.config = self.dir / "config.yaml"  # as root the service has the machine's directories otherwise
        self.config.write_text(helpers.to_yaml({"sandbox": {"paths": {"state_dir": str(self.dir / "state"),
            "log_dir": str(self.dir / "log")}}, "endpoints": {"api": {"linger": "60s"}}}))  # which is not for this one
        self.config.chmod(0o644)
        self.made = []

    def start(self, *words, env=(), **more):
        p = Bridge([str(helpers.AGENT), "mcp", *(words or ("--config", str(self.config)))], {**self.env, **dict(env)},
            **more)
        self.made.append(p)
        return p

    def services(self):
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError):
                words = pathlib.Path("/proc", pid, "cmdline").read_bytes().split(b"\0")
                if b"--private" in words and str(self.config).encode() in words:
                    found.append(int(pid))
        return found

    def owners(self):
        """-> of each service the process that the others are children of"""
        every = set(self.services())
        return {pid for pid in every if int(helpers.status(pid).get("PPid", 0)) not in {0, *every}}

    def close(self):
        for p in self.made:
            p.kill()
        left = helpers.poll(self.services, 60)
        for pid in left or ():
            helpers.kill_quietly(pid)
        helpers.reap_orphans()
        shutil.rmtree(self.dir)
        assert not left, "the private service outlives its clients"


class Bridge:
    def __init__(self, argv, env):
        self.err = tempfile.TemporaryFile()
        self.process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.err, env=env,
            text=True)

    def say(self, method, params=None, id=None):
        self.raw(json.dumps({"jsonrpc": "2.0", "method": method, **({"params": params} if params is not None else {}),
            **({"id": id} if id is not None else {})}))

    def raw(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def hear(self):
        line = self.process.stdout.readline()
        assert line, self.words()
        return json.loads(line)

    def ask(self, method, params=None, id=1):
        self.say(method, params, id)
        answer = self.hear()
        assert answer["id"] == id, answer
        return answer

    def call(self, tool, **arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments}, id=tool)["result"]["structuredContent"]

    def initialize(self):
        result = self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}})["result"]
        self.say("notifications/initialized")
        return result

    def words(self):
        self.err.seek(0)
        return self.err.read().decode()

    def end(self, patience=60):
        self.process.stdin.close()
        return self.process.wait(patience)

    def kill(self):
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait()
        for f in (self.process.stdin, self.process.stdout, self.err):
            with contextlib.suppress(BrokenPipeError):
                f.close()


@pytest.fixture(scope="module")
def home():
    h = Home()
    yield h
    h.close()


@pytest.fixture
def bridge(home):
    b = home.start()
    yield b
    b.kill()


def test_one_line_of_configuration_runs_code_and_says_nothing_else(home, bridge):
    assert bridge.initialize()["protocolVersion"] == "2025-06-18"
    assert {t["name"] for t in bridge.ask("tools/list")["result"]["tools"]} >= {"run_code", "run_command", "explain"}
    assert bridge.call("run_code", language="python", code="print(6*7)")["stdout"] == "42\n"
    today = bridge.ask("tools/call", {"name": "run_command", "arguments": {"command": "echo today"},
        "_meta": META})["result"]
    assert today["resultType"] == "complete" and today["structuredContent"]["stdout"] == "today\n"
    socket = home.dir / "state/mcp.sock"
    assert home.services() and socket.is_socket() and (home.dir / "state/mcp.lock").exists()
    assert socket.stat().st_uid == (pwd.getpwnam("sandbox-agent").pw_uid if helpers.is_root() and
        has_user("sandbox-agent") else 65530 if helpers.is_root() else os.getuid())
    assert bridge.end() == 0 and bridge.process.stdout.read() == "" and bridge.words() == ""


def has_user(name):
    with contextlib.suppress(KeyError):
        return bool(pwd.getpwnam(name))
    return False


def test_calls_run_beside_each_other_and_one_that_is_cancelled_is_not_answered(bridge):
    bridge.initialize()
    bridge.say("tools/call", {"name": "run_command", "arguments": {"command": "sleep 100"},
        "_meta": {"progressToken": "p"}}, id="slow")
    assert bridge.hear()["params"]["progressToken"] == "p"  # it runs
    assert bridge.call("run_command", command="echo quick")["stdout"] == "quick\n"
    bridge.say("notifications/cancelled", {"requestId": "slow"})
    assert bridge.call("run_command", command="echo after")["stdout"] == "after\n"
    # once it has ended; until then the last refusal is an earlier one's
    assert not helpers.poll(lambda: bridge.call("explain")["reason"] != "killed", 60), bridge.call("explain")


def test_a_sandbox_of_the_conversation_stays_until_it_ends(home, bridge):
    bridge.initialize()
    bridge.call("session_start")
    bridge.call("write_file", path="f", content="kept")
    assert bridge.call("run_command", command="cat f")["stdout"] == "kept"
    assert bridge.end() == 0
    left = home.start()
    left.initialize()
    assert left.call("read_file", path="f")["error"]["code"] == "invalid_value"  # none of this conversation's


@pytest.mark.parametrize("line, code",
                         [("nonsense", -32700), ("[1]", -32600), ("{}", -32600),
                          ('{"jsonrpc":"2.0","id":1,"method":"none"}', -32601), ("\x00", -32700),
                          ('{"a":' * 40, -32700)])
def test_a_line_that_is_no_good_message_gets_an_error_and_the_next_is_read(bridge, line, code):
    bridge.raw(line)
    assert bridge.hear()["error"]["code"] == code
    bridge.raw("")
    assert bridge.ask("ping", id="next") == {"jsonrpc": "2.0", "id": "next", "result": {}}


@pytest.mark.parametrize("mib, is_known", [(17, True), (65, False)])
def test_a_line_that_is_too_large_gets_an_error_and_the_next_is_read(bridge, mib, is_known):
    """What the service refuses is the answer to its request; of more than 64 MiB the id is not known."""
    bridge.say("tools/call", {"name": "run_code", "arguments": {"code": "x" * (mib << 20)}}, id="large")
    answer = bridge.hear()
    assert answer["error"]["message"] and answer.get("id") == ("large" if is_known else None), answer
    assert bridge.ask("ping", id="next")["result"] == {}


def test_clients_share_one_service_which_ends_when_the_last_has_died(home):
    first, second = home.start(), home.start()  # at the same moment
    assert first.call("run_command", command="echo 1")["stdout"] == "1\n" and second.call("run_command",
        command="echo 2")["stdout"] == "2\n"
    # where both have started one, one of them ends
    assert not helpers.poll(lambda: len(home.owners()) != 1, 60), home.owners()
    owners = home.owners()
    sandboxd = [str(helpers.AGENT.parent / "sandboxd"), "--private", "--config", str(home.config)]
    needless = subprocess.run(sandboxd, env=home.env, capture_output=True, text=True, timeout=60)
    assert needless.returncode == 75 and "another service" in needless.stderr, needless  # what a client knows it by
    first.process.send_signal(signal.SIGKILL)
    first.process.wait()
    assert second.call("run_command", command="echo 3")["stdout"] == "3\n"
    assert not helpers.poll(lambda: home.owners() != owners, 60), (home.owners(), owners)
    second.say("tools/call", {"name": "run_command", "arguments": {"command": "sleep 100"},
        "_meta": {"progressToken": 1}}, id=1)
    second.hear()
    second.kill()
    for p in home.made:
        p.kill()
    assert not helpers.poll(home.services, 60)
    assert not (home.dir / "state/mcp.sock").exists()


def test_a_service_that_is_named_is_used_and_no_other_started(home):
    with Service({"rate_limiting": {"enabled": False}}) as s:
        named = home.start("--url", s.url, "--agent-id", "by-stdio", env={"SANDBOX_AGENT_API_KEY": s.key})
        named.initialize()
        got = named.call("run_command", command="echo there")
        assert s.request("GET", "/executions/" + got["execution_id"]).json()["agent_id"] == "by-stdio"
        assert named.end() == 0
        wrong = home.start("--url", s.url, env={"SANDBOX_AGENT_API_KEY": "sa_" + "A" * 43})
        error = wrong.ask("ping")["error"]
        assert error["code"] == -32603 and "401" in error["message"] and "key" in error["message"]
        wrong.kill()
        url = s.url
    gone = home.start("--url", url)
    assert gone.ask("ping")["error"]["code"] == -32603


@pytest.mark.parametrize("words, needle", [(["--nothing"], "unexpected argument"),
                         (["--url"], "needs a value"), (["list"], "unexpected argument")])
def test_wrong_words_are_said_on_standard_error(home, words, needle):
    done = subprocess.run([str(helpers.AGENT), "mcp", *words], env=home.env, capture_output=True, text=True,
        stdin=subprocess.DEVNULL, timeout=60)
    assert (done.returncode, done.stdout) == (2, "") and needle in done.stderr


def test_where_it_cannot_start_it_says_why(home):
    for p in home.made:
        p.kill()
    assert not helpers.poll(home.services, 60)
    bad = home.dir / "bad.yaml"
    bad.write_text("sandbox: {paths: {state_dir: /proc/none, log_dir: %s}}\n" % (home.dir / "log"))
    bad.chmod(0o644)
    done = subprocess.run([str(helpers.AGENT), "mcp", "--config", str(bad)], env=home.env, capture_output=True,
        text=True, stdin=subprocess.DEVNULL, timeout=90)
    assert done.returncode == 125 and done.stdout == "" and re.search("/proc/none|private service", done.stderr), done
