"""service.py - a running sandboxd for a test: its own directory, a free port, its first key.

    with Service() as s:
        s.run("print(1)", agent_id="a")                    -> the result object, asserted to be 200
        s.request("GET", "/agents", key=s.new_key("read"))  -> requests.Response, below the base path
        s.outside("GET", "/healthz")                        -> outside it
        for event in s.stream("echo 1; echo 2", "bash"): …
        s.hup(); s.kill9(); s.start(); s.stop()
    gate = s.gate(); s.submit(gate.wait + "echo through", "bash", volumes=gate.volumes); …; gate.open()

Started by root it becomes nobody (`--user`), as it does in earnest; started by an ordinary user it stays that. Whatever
it writes lies in `dir`, which close() removes; close() fails where a process is left behind (this process is a
subreaper: helpers.py).
"""
import contextlib
import json as json_module
import os
import pathlib
import pwd
import re
import select
import shutil
import signal
import subprocess
import tempfile
import time

import helpers
import pytest
import requests

DAEMON = helpers.PREFIX / "bin/sandboxd"
BASE = "/api/v1/sandbox"
USER = "nobody"  # as root: what it becomes
OWN = object()   # «with the first key»


class Service:
    pass_fds = ()  # what a careless caller leaves open to it

    def __init__(self, config=None, options=(), env=(), start=True, patience=90):
        if not DAEMON.exists():
            helpers.skip("%s is not built" % DAEMON)
        self.daemon = DAEMON
        helpers.become_subreaper()
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="test-sandboxd-")).resolve()
        self.dir.chmod(0o755)
        self.state_dir, self.log_dir, self.config_path = self.dir / "state", self.dir / "log", self.dir / "config.yaml"
        self.options, self.patience, self.process, self.url, self.key, self.starts = list(
            options), patience, None, None, None, 0
        self.env = {"PATH": "/usr/bin:/bin", "HOME": str(self.dir / "home"), "LC_ALL": "C.UTF-8", **dict(env)}
        for name in ("home", "state", "log", "cache", "config", "run"):
            self.directory(name)
            self.env.setdefault("XDG_%s_HOME" % name.upper(), str(self.dir / name))
        self.env.setdefault("XDG_RUNTIME_DIR", str(self.dir / "run"))
        self.env.setdefault("CACHE_DIRECTORY", str(self.dir / "cache"))  # as root it would be the machine's
        self.configure(config or {})
        self.session = self.connection()
        if start:
            try:
                self.start()
            except BaseException:
                self.close(check=False)
                raise

    def __enter__(self):
        return self

    def __exit__(self, *what):
        self.close(check=what[0] is None)

    # -- arranging --

    def directory(self, name, mode=0o755):
        """A directory that the service may write."""
        path = self.dir / name
        path.mkdir(parents=True)
        path.chmod(mode)
        if helpers.is_root():
            user = pwd.getpwnam(USER)
            os.chown(path, user.pw_uid, user.pw_gid)
        return path

    def configure(self, values):
        """Writes the configuration file anew: these values, and our own directories where they say nothing. See
        hup()."""
        values = json_module.loads(json_module.dumps(values))
        paths = values.setdefault("sandbox", {}).setdefault("paths", {})
        paths.setdefault("state_dir", str(self.state_dir))
        paths.setdefault("log_dir", str(self.log_dir))
        if os.environ.get("SANDBOX_TEST_WARM"):  # all suites of the service, with interpreters that wait
            values.setdefault("warm", {}).setdefault("enabled", True)
        values.setdefault("endpoints", {}).setdefault("api", {}).setdefault("volume_roots", [str(self.dir / "gates")])
        self.config_path.write_text(helpers.to_yaml(values))
        self.config_path.chmod(0o644)

    def gate(self):
        """-> a Gate for programs of this service"""
        self.gates = getattr(self, "gates", 0) + 1
        return Gate(self.directory("gates/%d" % self.gates))

    # -- life --

    def words(self):
        user = ["--user", USER] if helpers.is_root() and "--user" not in self.options else []
        listen = [] if "--listen" in self.options else ["--listen", "127.0.0.1:0"]
        return [str(self.daemon), "--config", str(self.config_path), *listen, *user, *map(str, self.options)]

    def start(self, wait=True):
        """Starts it (again: same directory, another port). -> self, ready"""
        assert self.process is None or self.process.poll() is not None, "it runs already"
        self.starts += 1
        self.out_path, self.err_path = (self.dir / ("%s-%d" % (name, self.starts)) for name in ("stdout", "stderr"))
        with open(self.out_path, "wb") as out, open(self.err_path, "wb") as err:
            self.process = subprocess.Popen(self.words(), stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                            env=self.env, cwd=self.dir,
                                            pass_fds=self.pass_fds)
        helpers.residents.add(self.process.pid)  # a test's other Services and Boxes do not ask what this one does
        if wait:
            self.wait_ready()
        return self

    def wait_ready(self):
        until = time.monotonic() + self.patience
        while not self.url or not self.is_ready():
            found = re.search(r"listening on (https?://\S+)", self.stdout + self.logs)
            self.url = found.group(1).removesuffix("/").removesuffix(BASE) if found else None
            if self.process.poll() is not None:
                raise AssertionError("sandboxd ended with %s before it was ready:\n%s%s"
                                     % (self.process.returncode, self.stdout, self.logs))
            if time.monotonic() > until:
                raise AssertionError("sandboxd is not ready:\n%s%s" % (self.stdout, self.logs))
            time.sleep(0.01)
        first = re.search(r"first key.*?(sa_[A-Za-z0-9_-]{43})\b", self.stdout)
        if first:
            self.key = first.group(1)

    def is_ready(self):
        with contextlib.suppress(requests.RequestException):
            return self.outside("GET", "/readyz", timeout=5).status_code == 200
        return False

    @property
    def stdout(self):
        return helpers.read(self.out_path)

    @property
    def logs(self):
        """What this start has said on standard error."""
        return helpers.read(self.err_path)

    def wait_log(self, needle, patience=60):
        """Until the log has it (a regular expression). -> the match"""
        assert not helpers.poll(lambda: not re.search(needle, self.logs),
                                patience), "no %r in the log:\n%s" % (needle, self.logs)
        return re.search(needle, self.logs)

    def signal(self, number):
        self.process.send_signal(number)

    def hup(self):
        self.signal(signal.SIGHUP)

    def stop(self, patience=90):
        """SIGTERM, and it drains. -> its exit code"""
        if self.process.poll() is None:
            self.signal(signal.SIGTERM)
        return self.wait(patience)

    def kill9(self, patience=60):
        """The whole service, without a word; what it leaves behind is its own to clear up. Root's parent goes last: the
        server that loses it ends in order, and in the moment before its own SIGKILL it would tell ends."""
        dying = []
        for pid in sorted({self.process.pid, *self.pids("sandboxd")}, key=lambda p: p == self.process.pid):
            with contextlib.suppress(ProcessLookupError):
                dying.append(os.pidfd_open(pid))
                os.kill(pid, signal.SIGKILL)
        code = self.wait(patience)
        # root's parent is our child; the one that holds the state's lock is its, and may end a little later
        for fd in dying:
            assert select.select([fd], [], [], patience)[0], "a killed sandboxd is still there"
            os.close(fd)
        return code

    def wait(self, patience=90):
        try:
            code = self.process.wait(patience)
        except subprocess.TimeoutExpired:
            pytest.fail("sandboxd does not end:\n%s" % self.logs)
        helpers.residents.discard(self.process.pid)
        self.url = None
        self.session.close()
        self.session = self.connection()
        return code

    def pids(self, name):
        """Processes below it (and itself) with this name, such as sandboxd or sandbox-launcher."""
        every = {self.process.pid} | helpers.descendants(self.process.pid)
        return sorted(p for p in every if helpers.read("/proc/%d/comm" % p).strip() == name[:15])

    def close(self, check=True):
        code = None
        if self.process:
            try:
                code = self.stop() if check else None
            finally:
                for pid in {self.process.pid} | helpers.descendants(self.process.pid):
                    if self.process.poll() is None:
                        helpers.kill_quietly(pid)
                self.process.wait()
                helpers.residents.discard(self.process.pid)
        self.session.close()
        left = helpers.poll(helpers.left_processes, 60) if check else None
        said = self.logs if self.process else ""
        shutil.rmtree(self.dir, ignore_errors=True)
        assert not left, "left behind: %s\n%s" % (left, said)
        assert "Sanitizer" not in said, said
        return code

    # -- asking --

    @staticmethod
    def connection():
        """A session of its own: proxies and .netrc of the environment are not for us. One a thread."""
        s = requests.Session()
        s.trust_env = False
        return s

    def headers(self, key=OWN, more=()):
        token = self.key if key is OWN else key
        return {**({"Authorization": "Bearer " + token} if token else {}), **dict(more)}

    def outside(self, method, path, key=None, headers=(), session=None, timeout=60, **more):
        """A request outside the base path, without a key unless one is given."""
        return (session or self.session).request(method, self.url + path, headers=self.headers(key, headers),
                                                 timeout=timeout, **more)

    def request(self, method, path, key=OWN, **more):
        """A request below the base path. key: a token, None for none, OWN (the default) the first key. json=, data=,
        params=, headers=, stream= as in requests; session= for another connection."""
        return self.outside(method, BASE + path, key=key, **more)

    def new_key(self, role, name=None, **more):
        """-> the token of a new key. more: agents, levels, expires_in_seconds"""
        self.counter = getattr(self, "counter", 0) + 1
        answer = self.request("POST", "/keys",
                              json={"name": name or "%s-%d" % (role, self.counter), "role": role, **more})
        assert answer.status_code == 201, answer.text
        return answer.json()["token"]

    def override(self):
        """-> the token of a key that may ask for a laxer level than its agent's own; always the same key"""
        self.laxer = getattr(self, "laxer", None) or self.new_key("run", "override", allow_risk_override=True)
        return self.laxer

    def execute(self, code, language="python", key=OWN, session=None, headers=(), timeout=120, **body):
        """POST /execute. -> requests.Response"""
        return self.request("POST", "/execute", key=key, session=session, headers=headers, timeout=timeout,
                            json={"language": language, "code": code, **body})

    def run(self, code, language="python", **more):
        """-> the result object of a run that the service made"""
        answer = self.execute(code, language, **more)
        assert answer.status_code == 200, answer.text
        helpers.check_result(answer.json())
        return answer.json()

    def submit(self, code, language="python", key=OWN, session=None, headers=(), **body):
        """POST /executions. -> execution_id"""
        answer = self.request("POST", "/executions", key=key, session=session, headers=headers,
                              json={"language": language, "code": code, **body})
        assert answer.status_code == 202, answer.text
        return answer.json()["execution_id"]

    def execution(self, execution_id, **more):
        answer = self.request("GET", "/executions/" + execution_id, **more)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def finished(self, execution_id, patience=120, **more):
        """Waits until this execution is finished. -> the execution object, whose `result` is the result object"""
        until = time.monotonic() + patience
        while True:
            e = self.execution(execution_id, **more)
            if e["state"] == "finished":
                return e
            assert time.monotonic() < until, "still not finished: %s" % e
            time.sleep(0.02)

    def stream(self, code, language="python", **more):
        """POST /execute with stream. -> iterator of events (dictionaries)"""
        body = {"language": language, "code": code, "stream": True,
                **{k: more.pop(k) for k in list(more) if k not in ("key", "session", "headers")}}
        answer = self.request("POST", "/execute", json=body, stream=True, **more)
        assert answer.status_code == 200, answer.text
        return events_of(answer)

    def events(self, execution_id, **more):
        """GET /executions/{id}/events. -> iterator of events"""
        answer = self.request("GET", "/executions/%s/events" % execution_id, stream=True, **more)
        assert answer.status_code == 200, answer.text
        return events_of(answer)


class Gate:
    """What a program waits at until its test opens it: as long as it must, and not for a time that somebody guessed.
    Bash, where volumes may be."""
    wait = "until [ -e /gate/open ]; do sleep 0.02; done; "

    def __init__(self, place):
        self.place, self.volumes = place, [{"host": str(place), "inside": "/gate", "mode": "ro"}]

    def open(self):
        (self.place / "open").touch()


@contextlib.contextmanager
def preloaded(source):
    """-> environment for Service(env=…), with helpers.make_preload(source)"""
    with tempfile.NamedTemporaryFile(suffix=".so") as library:
        helpers.make_preload(library.name, source)
        yield {"LD_PRELOAD": library.name}


def events_of(answer):
    """Server-Sent Events of a streaming answer: each as its data, with `id` (int) and `event` (str) beside it under
    "_id" and "_event"."""
    assert answer.headers["Content-Type"].split(";")[0] == "text/event-stream", answer.headers
    fields = {}
    with contextlib.closing(answer):
        for line in answer.iter_lines(chunk_size=None):
            text = line.decode("utf-8")
            if text.startswith(":"):
                continue
            if text:
                name, _, value = text.partition(": ")
                fields[name] = fields[name] + "\n" + value if name in fields else value
            elif fields:
                event = json_module.loads(fields["data"])
                yield {**event, "_id": int(fields["id"]) if "id" in fields else None, "_event": fields.get("event")}
                fields = {}


def error_of(answer, status, code):
    """Asserts that it is this error in the contract's form. -> the error object"""
    assert answer.status_code == status, answer.text
    body = answer.json()
    assert set(body) == {"error"} and set(body["error"]) == {"code", "message", "details"}, body
    assert body["error"]["code"] == code, body
    assert isinstance(body["error"]["message"],
                      str) and body["error"]["message"] and isinstance(body["error"]["details"], dict), body
    return body["error"]
