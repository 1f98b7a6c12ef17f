"""Package sets over REST, in executions and in sessions: one service in the small Internet (net/), as is its index."""
import os
import pathlib
import re
import shutil
import socket
import sys

import helpers
import net
import pytest
from service import BASE, Service, error_of

sys.path.append(str(pathlib.Path(__file__).parent.parent))
import package_index  # noqa: E402

HOLDS = package_index.HOST + ":19"  # takes connections and says nothing
HOST = "http://%s/files" % package_index.HOST


NPM = "/usr/bin/npm"


class Online(Service):
    """Inside the world's network namespace. It listens on a socket of ours, which it is handed as systemd would."""

    def __init__(self):
        self.world = net.the_world("namespace")
        self.files = self.world.dir / "files"
        shutil.rmtree(self.files, ignore_errors=True)
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.pass_fds = (self.socket.fileno(),)
        self.config = {"sandbox": {"resolvers": [self.world.resolver]},
                       "rate_limiting": {"enabled": False},
                       "agixt": {"analysis": {"enabled": False}},
                       "security": {"store_artifacts": {"enabled": False}},  # a build has its workspace all the same
                       "packages": {"python_index": HOST + "/simple", "node_registry": HOST + "/npm", "hosts": [HOLDS]}}
        super().__init__(self.config)

    def words(self):
        words = super().words()
        at = words.index("--listen")
        handed = "exec 3<&%d; LISTEN_FDS=1 LISTEN_PID=$$ exec \"$@\"" % self.pass_fds
        return [*self.world.prefix, "bash", "-c", handed, "bash", *words[:at], *words[at + 2:]]

    def wait_ready(self):
        is_coming = lambda: "sandboxd: listening" not in self.stdout and self.process.poll() is None
        assert not helpers.poll(is_coming, self.patience)
        assert self.process.poll() is None, self.stdout + self.logs
        self.url = "http://127.0.0.1:%d" % self.socket.getsockname()[1]
        first = re.search(r"first key.*?(sa_[A-Za-z0-9_-]{43})\b", self.stdout)
        self.key = first.group(1) if first else self.key

    def close(self, check=True):
        self.socket.close()
        return super().close(check)

    # -- sets --

    add, wheel = package_index.Index.add, package_index.Index.wheel  # files of the index

    def order(self, name, requirements, kind="python", **more):
        return self.request("POST", "/packages", json={"name": name, kind: requirements}, **more)

    def built(self, name, state="ready", **more):
        """-> the set, when it is no longer being built"""
        shown = {}
        is_building = lambda: shown.update(self.show(name, **more)) or shown["state"] == "building"
        assert not helpers.poll(is_building, 120), shown
        assert shown["state"] == state, (shown, self.logs)
        return shown

    def show(self, name, **more):
        answer = self.request("GET", "/packages/" + name, **more)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def made(self, name, requirements, kind="python", **more):
        answer = self.order(name, requirements, kind, **more)
        assert answer.status_code == 202 and answer.json()["state"] == "building", answer.text
        return self.built(name, **more)

    @property
    def place(self):
        return self.state_dir / "packages"

    def left(self):
        return sorted(os.listdir(self.place / "building"))


@pytest.fixture(scope="module")
def service():
    with Online() as s:
        yield s


@pytest.fixture(scope="module")
def run_key(service):
    return service.new_key("run", "owner", allow_risk_override=True)


@pytest.fixture(scope="module")
def science(service, run_key):
    """A set of Python, built over the API. -> what GET says of it"""
    service.wheel({"ourthing.py": "answer = 42\n"})
    answer = service.order("science", "ourthing==1.0\n", key=run_key)
    assert answer.status_code == 202 and answer.json()["state"] == "building", answer.text
    assert answer.headers["Location"] == BASE + "/packages/science"
    return service.built("science", key=run_key)


ASK = "import ourthing; print(ourthing.answer)"


def test_a_set_is_built_by_its_owner_and_used_in_its_runs(service, run_key, science):
    assert science["kind"] == "python" and len(science["hash"]) == 64 and science["bytes"] > 0, science
    assert [(p["name"], p["version"], p["license"]) for p in science["packages"]] == [("ourthing", "1.0", "MIT")]
    assert service.run(ASK, risk_level="low", packages="science", key=run_key)["stdout"] == "42\n"
    error_of(service.execute(ASK, risk_level="low", packages="none", key=run_key), 422, "invalid_value")
    error_of(service.execute(ASK, risk_level="high", packages="science", key=run_key), 403, "policy_denied")
    events = service.request("GET", "/audit?last=50").json()["events"]
    said = [e for e in events if e["event"]["action"].startswith("package-")]
    assert [e["event"]["action"] for e in said] == ["package-requested", "package-created"], said
    about = {"name": "science", "owner": science["owner"], "tree": science["hash"]}
    assert said[-1]["agentsandbox"]["packages"] == about, said
    assert said[-1]["user"]["name"] == "owner"


def test_no_other_key_takes_uses_sees_or_removes_a_set(service, run_key, science):
    other, read = service.new_key("run"), service.new_key("read")
    for method in ("GET", "DELETE"):
        error_of(service.request(method, "/packages/science", key=other), 404, "not_found")
    error_of(service.order("science", "ourthing\n", key=other), 409, "conflict")
    error_of(service.execute(ASK, risk_level="low", packages="science", key=other), 403, "policy_denied")
    begin = {"risk_level": "low", "packages": "science"}
    error_of(service.request("POST", "/sessions", key=other, json=begin), 403, "policy_denied")
    listed = {who: [p["name"] for p in service.request("GET", "/packages", key=key).json()["packages"]]
              for who, key in (("own", run_key), ("other", other), ("read", read))}
    assert listed == {"own": ["science"], "other": [], "read": ["science"]}
    assert service.show("science", key=read)["hash"] == science["hash"]


def test_a_set_that_cannot_be_removed_is_not_said_to_be(service, run_key, science):
    sets = service.place / "sets"
    mode = sets.stat().st_mode
    sets.chmod(0o500)
    try:
        answer = service.request("DELETE", "/packages/science", key=run_key)
    finally:
        sets.chmod(mode)
    assert answer.status_code >= 500, answer.text
    assert service.show("science", key=run_key)["hash"] == science["hash"]
    events = service.request("GET", "/audit?last=20").json()["events"]
    assert "package-removed" not in [e["event"]["action"] for e in events]


def test_a_key_that_is_bound_to_agents_or_to_stricter_levels_builds_none(service, science):
    for bound in ({"agents": ["bot"]}, {"levels": ["medium", "high"]}):
        key = service.new_key("run", **bound)
        error_of(service.order("bound", "ourthing==1.0\n", key=key), 403, "forbidden")
        assert service.request("GET", "/packages", key=key).json()["packages"] == []
    permitted = service.new_key("run", levels=["low"])
    error_of(service.order("science", "ourthing\n", key=permitted), 409, "conflict")  # as an unbound one's


def test_a_build_that_fails_says_why_and_leaves_the_set_as_it_was(service, run_key, science):
    assert service.order("science", "ourthing==1.0 --hash=sha256:%s\n" % ("0" * 64), key=run_key).status_code == 202
    failed = service.built("science", "failed", key=run_key)
    assert failed["error"]["blame"] == "guest" and "do not trust it" in failed["error"]["remedy"], failed
    assert failed["hash"] == science["hash"] and service.left() == []
    assert service.run(ASK, risk_level="low", packages="science", key=run_key)["stdout"] == "42\n"


class Session:
    def __init__(self, service, key, **body):
        answer = service.request("POST", "/sessions", key=key, json={"risk_level": "low", **body})
        assert answer.status_code == 201, answer.text
        self.service, self.key, self.path = service, key, "/sessions/" + answer.json()["session_id"]

    def answer(self, command=None, path="/execute", **body):
        body = {"command": command, **body} if command else body
        return self.service.request("POST", self.path + path, key=self.key, json=body, timeout=120)

    def run(self, command=None, **body):
        answer = self.answer(command, **body)
        assert answer.status_code == 200, answer.text
        assert answer.json()["exit_code"] == 0, (answer.json()["stdout"], answer.json()["stderr"])
        return answer.json()["stdout"]

    def context(self, language="python"):
        made = self.answer(path="/contexts", language=language)
        assert made.status_code == 201, made.text
        return "/contexts/%s/execute" % made.json()["context_id"]

    def cell(self, context, code):
        answer = self.answer(path=context, code=code)
        assert answer.status_code == 200 and answer.json()["exception"] is None, answer.text
        return answer.json()["stdout"]

    def end(self):
        assert self.service.request("DELETE", self.path, key=self.key).status_code == 202


def test_a_session_has_its_set_in_jobs_kernels_and_commands_and_keeps_it(service, run_key, science):
    service.wheel({"later.py": "answer = 43\n"}, "later")
    tree = service.made("passing", "later\n", key=run_key)["hash"]
    session = Session(service, run_key, packages="passing")
    assert service.request("DELETE", "/packages/passing", key=run_key).status_code == 200
    assert tree in os.listdir(service.place / "trees")
    ask = "import later; print(later.answer, later.__file__)"
    found = "43 /packages/python/later.py\n"
    assert session.run(language="python", code=ask) == found
    assert session.cell(session.context(), ask) == found
    assert session.run("python3 -c '%s'" % ask) == found
    assert session.cell(session.context("bash"), "python3 -c '%s'" % ask) == found
    begin = {"risk_level": "low", "packages": "passing"}
    error_of(service.request("POST", "/sessions", key=run_key, json=begin), 422, "invalid_value")
    session.end()
    at_medium = Session(service, run_key, risk_level="medium", packages="science")  # behind the level's guard
    assert at_medium.cell(at_medium.context(), ASK) == at_medium.run(language="python", code=ASK) == "42\n"
    at_medium.end()


def test_pip_and_npm_install_into_the_workspace_of_a_session_at_low(service, run_key):
    """As they are called anywhere: for jobs, contexts and commands, also for a kernel that was there before."""
    service.wheel({"fresh.py": "answer = 44\n"}, "fresh")
    session = Session(service, run_key)
    kernel, ask = session.context(), "import fresh; print(fresh.answer)"
    session.cell(kernel, "x = 1")
    session.run("pip install -q fresh")
    found = [session.run(language="python", code=ask), session.cell(kernel, ask), session.run("python3 -c '%s'" % ask)]
    assert found == ["44\n"] * 3
    at_medium = Session(service, run_key, risk_level="medium")
    for command in ("pip install fresh", "python3 -m pip -q install fresh", "npm ci"):
        said = error_of(at_medium.answer(command), 403, "policy_denied")
        assert "allow_package_install" in said["message"] and "package set" in said["details"]["remedy"], said
    assert at_medium.run("echo pip install fresh") == "pip install fresh\n"
    at_medium.end()
    if os.access(NPM, os.X_OK):
        package_index.registry(service)
        session.run("npm install --silent ourthing")
        code = "console.log(require('ourthing').answer); import('ourthing').then(m => console.log(m.default.answer))"
        assert session.run(language="node", code=code) == "42\n42\n"
    session.end()


def hold(service, name, key):
    """A build that hangs: its index has a file that is never sent. It is there when pip runs."""
    place = service.files / "simple" / name
    place.mkdir(parents=True, exist_ok=True)
    file = name + "-1.0-py3-none-any.whl"
    (place / "index.html").write_text("<a href='http://%s/%s'>%s</a>" % (HOLDS, file, file))
    assert service.order(name, name + "\n", key=key).status_code == 202
    assert not helpers.poll(lambda: name not in service.left(), 60)


def test_builds_are_bounded_and_none_outlives_its_service(service, run_key, science):
    other = service.new_key("run")
    for name in ("held", "kept"):
        hold(service, name, run_key)
    shown = service.show("held", key=run_key)
    assert shown["state"] == "building" and shown["progress"]["step"] == "installs" and shown["hash"] is None, shown
    for key in (run_key, other):
        assert "under way" in error_of(service.order("held", "held\n", key=key), 409, "conflict")["message"]
    error_of(service.request("DELETE", "/packages/held", key=run_key), 409, "conflict")
    error_of(service.request("GET", "/packages/held", key=other), 404, "not_found")
    assert service.order("third", "third\n", key=run_key).headers["Retry-After"] == "1"
    service.kill9()
    service.configure({**service.config, "endpoints": {"api": {"max_storage": "400"}}})
    service.start()
    for name in ("held", "kept"):
        assert "the service ended" in service.built(name, "failed", key=run_key)["error"]["message"]
    error_of(service.request("GET", "/packages/held", key=other), 404, "not_found")
    assert service.left() == [] and os.listdir(service.place / "trees") == [science["hash"]]
    full = error_of(service.order("more", "ourthing\n", key=run_key), 413, "body_too_large")
    assert "max_storage" in full["details"]["remedy"], full
    hold(service, "held", other)  # its builds failed: the name is anybody's; and it is told to end with the service
    assert service.stop() == 0
    service.start()
    assert "the service ended" in service.built("held", "failed", key=other)["error"]["message"]
    assert service.request("DELETE", "/packages/held", key=other).json()["state"] == "failed"
    error_of(service.request("GET", "/packages/held", key=other), 404, "not_found")
    assert service.left() == []
