"""What the client's tests share: a place of their own, the real program, the real service, and a server that
misbehaves on demand."""
import pwd
import contextlib
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import urllib.request

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PREFIX = pathlib.Path(os.environ.get("SANDBOX_AGENT_PREFIX") or ROOT / "build")
PROGRAM = PREFIX / "bin/sandbox-agent"
DAEMON = PREFIX / "bin/sandboxd"
INTEGRATIONS = ROOT / "integrations"
PATIENCE = 90


def skip(why):
    if os.environ.get("SANDBOX_MUST_WORK") == "1":
        pytest.fail("must work, but: " + why)
    pytest.skip(why)


def need_program():
    if not os.access(PROGRAM, os.X_OK):
        skip("%s is not built (make)" % PROGRAM)
    return PROGRAM


def service_user():
    """The user that sandboxd becomes when root starts it (src/daemon/parent.h)."""
    with contextlib.suppress(KeyError):
        entry = pwd.getpwnam("sandbox-agent")
        return entry.pw_uid, entry.pw_gid
    return 65530, 65530


class Place:
    """A directory that all may read: as root the sandbox runs under another host uid."""

    def __init__(self, more=""):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="sandbox-sdk-"))
        self.path.chmod(0o755)
        self.workspaces = self.path / "workspaces"
        self.workspaces.mkdir()
        self.config = self.path / "config.yaml"
        self.config.write_text(
            "sandbox:\n  paths:\n    log_dir: %s/log\n    state_dir: %s/state\n%s" % (self.path, self.path, more)
        )

    def workspace(self, name):
        w = self.workspaces / name
        w.mkdir()
        if os.geteuid() == 0:  # a volume has the rights of the service's user, and must be his
            os.chown(w, *service_user())
        return w

    def close(self):
        shutil.rmtree(self.path, ignore_errors=True)


@contextlib.contextmanager
def unused_port():
    """A port that is taken and has no listener: a free one would be given to the next program that asks."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        yield s.getsockname()[1]


class Gate:
    """What a program waits at until its test opens it. Bash, with these volumes."""

    wait = "until [ -e /gate/open ]; do sleep 0.02; done; "

    def __init__(self, place, name):
        self.path = place.workspace(name)
        self.volumes = ["%s:/gate" % self.path]

    def open(self):
        (self.path / "open").touch()


class Service:
    """The real one: URL, key, and the place where it keeps things."""

    def __init__(self, more="", api=""):
        if not os.access(DAEMON, os.X_OK):
            skip("%s is not built" % DAEMON)
        self.place = Place(more)
        self.place.path.chmod(0o777)  # as root, sandboxd becomes another user
        self.socket = self.place.path / "api.sock"
        self.cache = self.place.path / "cache"  # as root it would be the machine's
        self.cache.mkdir()
        if os.geteuid() == 0:
            os.chown(self.cache, *service_user())
        with open(self.place.config, "a") as f:
            f.write(
                "endpoints:\n  api:\n    socket: %s\n    volume_roots: [%s]\n%s"
                % (self.socket, self.place.workspaces, api)
            )
        self.log = open(self.place.path / "log.txt", "w+")
        self.process = subprocess.Popen(
            [DAEMON, "--config", self.place.config, "--listen", "127.0.0.1:0"],
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "CACHE_DIRECTORY": str(self.cache)},
        )
        self.key = self.url = None
        self.keys = 0
        late = threading.Timer(PATIENCE, self.process.kill)
        late.start()
        for line in self.process.stdout:
            self.key = (re.findall(r"sa_[\w-]+", line) or [self.key])[0]
            found = re.search(r"listening on (http\S+)", line)
            if found:
                self.url = found.group(1)
                break
        late.cancel()
        if not self.url:
            words = (self.place.path / "log.txt").read_text()
            self.close()
            pytest.fail("sandboxd did not start: " + words)
        self.first_key = self.key
        port = re.search(r":(\d+)", self.url.partition("//")[2]).group(1)  # for those who find it by its configuration
        self.place.config.write_text(
            self.place.config.read_text().replace("  api:\n", "  api:\n    port: %s\n" % port)
        )

    def new_key(self, **more):
        """An administrator's. Its own agent is new, and what other keys' agents do is not held against it."""
        self.keys += 1
        request = urllib.request.Request(
            self.url.partition("/api/")[0] + "/api/v1/sandbox/keys",
            json.dumps({"name": "test-%d" % self.keys, "role": "admin", **more}).encode(),
            {"Authorization": "Bearer " + self.first_key, "Content-Type": "application/json"},
        )
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(request, timeout=PATIENCE) as reply:
            return json.load(reply)["token"]

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.process.stdout.close()
        self.log.close()
        self.place.close()


# ---- a server for faults that the real one does not produce ----

RESULT = {
    "execution_id": "exec-1",
    "agent_id": None,
    "language": "python",
    "risk_level": "high",
    "backend": "native",
    "reason": "completed",
    "exit_code": 0,
    "signal": None,
    "stdout": "42\n",
    "stderr": "",
    "stdout_truncated": False,
    "stderr_truncated": False,
    "duration_ms": 1.5,
    "timing": {"queue_ms": 0, "scan_ms": 0.5, "decide_ms": 0.25, "start_ms": 2, "run_ms": 1.5, "settle_ms": 0.25},
    "cpu_ms": 1.0,
    "peak_memory_bytes": 1,
    "violations": [],
    "kill_switch": None,
    "findings": [],
    "needs": [],
    "trust": None,
    "isolation": {"seccomp": True, "limits": {"pids": 10}, "missing": []},
    "error": None,
    "state": "finished",
}


def answer(status, body, *headers):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    head = ["HTTP/1.1 %d X" % status, "Content-Length: %d" % len(data), "Content-Type: application/json", *headers]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + data


def error(status, code, message="no", details=None, *headers):
    return answer(status, {"error": {"code": code, "message": message, "details": details or {}}}, *headers)


def events(*pairs, first=1, ends=True):
    """Chunked, as the real one."""
    text = ": keep-alive\n\n" + "".join(
        "id: %d\nevent: %s\ndata: %s\n\n" % (first + i, kind, json.dumps({"type": kind, **body}))
        for i, (kind, body) in enumerate(pairs)
    )
    data = text.encode()
    chunk = b"%x\r\n%s\r\n" % (len(data), data)
    return (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        + chunk
        + (b"0\r\n\r\n" if ends else b"")
    )


CLOSE = object()  # ends the connection instead of an answer
HANG = object()  # says nothing until the client goes


class Fake:
    """Gives the answers in their order, whichever connection asks; `bytes` keeps the connection, (bytes, CLOSE) ends
    it afterwards."""

    def __init__(self, answers, wrap=lambda connection: connection):
        self.wrap = wrap
        self.answers = list(answers)
        self.requests = []  # (method, path, headers, body)
        self.connections = 0
        self.gone = threading.Event()  # a client left while it was kept waiting
        self.ended = 0  # connections that the server has closed
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:%d" % self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self.talk_and_end, args=(connection,), daemon=True).start()

    @staticmethod
    def read(stream):
        first = stream.readline().split()
        if len(first) < 2:
            return None
        headers = {}
        for line in iter(stream.readline, b"\r\n"):
            if not line:
                return None
            name, _, value = line.decode().partition(":")
            headers[name.lower()] = value.strip()
        body = stream.read(int(headers.get("content-length", 0)))
        return first[0].decode(), first[1].decode(), headers, json.loads(body) if body else None

    def talk_and_end(self, connection):
        self.talk(connection)
        with self.lock:
            self.ended += 1

    def talk(self, connection):
        try:
            connection = self.wrap(connection)
        except OSError:
            connection.close()
            return
        with connection, connection.makefile("rb") as stream:
            while True:
                try:
                    request = self.read(stream)
                except OSError:
                    return
                if request is None:
                    return
                with self.lock:
                    self.requests.append(request)
                    reply = (
                        self.answers.pop(0)
                        if self.answers
                        else error(500, "internal_error", "the test has no further answer")
                    )
                if reply is CLOSE:
                    return
                if reply is HANG:
                    connection.settimeout(PATIENCE)
                    try:
                        ended = not stream.read(1)
                    except OSError:
                        ended = True
                    if ended:
                        self.gone.set()
                    return
                closes = isinstance(reply, tuple)
                try:
                    connection.sendall(reply[0] if closes else reply)
                except OSError:
                    return
                if closes:
                    return

    def close(self):
        self.listener.close()


def eventually(condition, patience=60.0):
    until = time.monotonic() + patience
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.02)
    return bool(condition())
