"""Sessions: one sandbox, many jobs (docs/sessions.md)."""
import base64
import contextlib
import os
import signal
import socket
import sqlite3
import subprocess
import threading
import time

import helpers
import load
import pytest
import yaml
from service import Service, error_of


class Session:
    def __init__(self, service, key=None, **body):
        self.service, self.key = service, key or service.override()
        body = {"risk_level": "low", "agent_id": "worker", **body}
        answer = service.request("POST", "/sessions", key=self.key, json=body)
        assert answer.status_code == 201, answer.text
        self.made = answer.json()
        self.id = self.made["session_id"]

    def ask(self, method="GET", path="", **kwargs):
        return self.service.request(method, "/sessions/%s%s" % (self.id, path), key=self.key, **kwargs)

    def answer(self, command=None, **body):
        return self.ask("POST", "/execute", json={**({"command": command} if command else {}), **body})

    def run(self, command=None, **body):
        answer = self.answer(command, **body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def show(self):
        return self.ask().json()

    def has_jobs(self, count):
        assert not helpers.poll(lambda: self.show()["jobs_running"] != count, 60)

    def ended(self, why):
        assert not helpers.poll(lambda: not self.show()["ended_at"], 60)
        shown = self.show()
        assert shown["state"] == "ended" and shown["end"] == why, shown
        return shown


@pytest.fixture(scope="module")
def service():
    with Service({**load.UNLIMITED}) as s:
        yield s


@pytest.fixture(scope="module")
def session(service):
    """One that the tests of a level share: each leaves it as it was."""
    return Session(service, ttl=3600)


def test_what_one_job_leaves_the_next_one_finds(session):
    assert session.run("echo one > file; pwd")["stdout"] == "/workspace\n"
    assert session.run(language="python", code="print(open('file').read(), end='')")["stdout"] == "one\n"
    assert session.run(argv=["cat", "/workspace/file"])["stdout"] == "one\n"


def test_a_job_is_given_its_input_arguments_environment_and_place(session):
    said = session.run("cat; echo $A $B; pwd", stdin="input\n", env={"A": "1", "B": "2"}, cwd="/tmp")
    assert said["stdout"] == "input\n1 2\n/tmp\n", said
    assert session.run(language="bash", code='echo "$1"', args=["x y"])["stdout"] == "x y\n"
    assert session.run("wc -c", stdin_base64=base64.b64encode(b"\0" * 300000).decode())["stdout"] == "300000\n"


def test_a_job_ends_with_the_reason_that_a_run_would_have(session):
    assert session.run("true")["reason"] == "completed"
    assert (lambda r: (r["reason"], r["exit_code"]))(session.run("exit 7")) == ("error", 7)
    assert (lambda r: (r["reason"], r["signal"]))(session.run("kill -TERM $$")) == ("signal", 15)
    assert session.run("sleep 60", timeout="200ms")["reason"] == "timeout"
    stubborn = session.run("trap '' TERM; while :; do sleep 1; done", timeout="200ms")
    assert (stubborn["reason"], stubborn["signal"]) == ("timeout", 9)
    for words, cause in ({"argv": ["/nowhere"]}, "not_found"), ({"argv": ["/etc/passwd"]}, "not_executable"):
        details = error_of(session.answer(**words), 422, "invalid_value")["details"]
        assert (details["step"], details["cause"]) == ("EXEC", cause)
    details = error_of(session.answer("true", cwd="/nowhere"), 422, "invalid_value")["details"]
    assert details["step"] == "EXEC" and "cause" not in details, "that is the caller's, and no program's"
    assert session.run("echo still here")["stdout"] == "still here\n"


def test_a_result_says_what_was_in_force(session):
    there, here = session.made["isolation"], session.run("true")["isolation"]
    assert here["prepared"] == "prepared" and here["seccomp"] and here["landlock"] == there["landlock"]
    for name in ("user_ns", "pid_ns", "net", "cgroup", "uid"):
        assert here[name] == there[name], name


def test_what_a_job_leaves_running_ends_with_it(session):
    nap = load.seconds(101)  # jobs do not see each other's processes: it is looked for from outside
    left = "exec >/dev/null 2>&1; sleep %s & (setsid sleep %s &) ; (setsid setsid sh -c 'sleep %s & sleep %s' &)"
    waits = "; while [ ! -e go ]; do sleep 0.05; done; rm go"
    job = session.answer(left % ((nap,) * 4) + waits, background=True).json()["execution_id"]
    assert not helpers.poll(lambda: len(load.running(nap)) != 4, 60)
    session.run("touch go")
    assert session.service.finished(job)["reason"] == "completed"
    assert load.running(nap) == []


def test_output_is_streamed(session):
    answer = session.ask("POST", "/execute", json={"command": "echo out; echo err >&2", "stream": True}, stream=True)
    text = answer.text
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    assert all('"type":"%s"' % kind in text for kind in ("started", "stdout", "stderr", "result")), text


def test_a_job_in_the_background_runs_on(session):
    accepted = session.answer("echo begun; while [ ! -e go ]; do sleep 0.05; done; echo over", background=True)
    assert accepted.status_code == 202, accepted.text
    e = accepted.json()["execution_id"]
    assert session.run("touch go")["reason"] == "completed"
    assert session.service.finished(e)["result"]["stdout"] == "begun\nover\n"
    session.run("rm go")


def test_jobs_run_beside_each_other(session):
    results = {}

    def one(i):
        wait = "while [ $(ls here.* | wc -l) -lt 4 ]; do sleep 0.02; done"
        results[i] = session.run("touch here.%d; %s; echo %d" % (i, wait, i))
    threads = [threading.Thread(target=one, args=(i,)) for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert [results[i]["stdout"] for i in range(4)] == ["%d\n" % i for i in range(4)]
    session.run("rm here.*")


def test_a_job_that_is_stopped_is_killed_and_the_session_goes_on(session):
    e = session.answer("echo up; sleep 3600", background=True).json()["execution_id"]
    session.has_jobs(1)
    assert session.service.request("DELETE", "/executions/" + e, key=session.key).status_code == 202
    assert session.service.finished(e)["reason"] == "killed"
    assert session.run("echo on")["stdout"] == "on\n"


def test_what_needs_a_stricter_level_is_refused_and_the_session_goes_on(service):
    s = Session(service, key=service.key, agent_id="newcomer", risk_level="medium")
    assert s.made["risk_level"] == "medium"
    refused = error_of(s.answer("kill -9 -1"), 403, "policy_denied")
    assert refused["details"]["rule"] == "session_level" and refused["details"]["findings"], refused
    for argv in (["bash"], ["sh", "-s"]):  # the same as input
        error_of(s.answer(argv=argv, stdin="kill -9 -1\n"), 403, "policy_denied")
        assert s.run(argv=argv, stdin="echo $((6*7))\n")["stdout"] == "42\n"
    assert s.run(argv=["cat"], stdin="kill -9 -1\n")["stdout"] == "kill -9 -1\n"
    assert s.run("echo on > f; cat f")["stdout"] == "on\n", "/workspace is writable at medium"
    s.ask("DELETE")


def test_a_session_at_high_has_contexts_and_nothing_else(service):
    """Its cells: test_contexts.py."""
    s = Session(service, risk_level="high", agent_id="distrusted")
    assert s.made["risk_level"] == "high"
    for body in ({"command": "true"}, {"argv": ["/bin/true"]}, {"language": "python", "code": "1"}):
        assert "contexts only" in error_of(s.answer(**body), 403, "policy_denied")["message"], body
    for method, path in (("GET", "/files/x"), ("PUT", "/files/x"), ("GET", "/files/?list"), ("GET", "/archive/")):
        refused = error_of(s.ask(method, path, **({"data": b"x"} if method == "PUT" else {})), 409, "conflict")
        assert "no /workspace" in refused["message"], (path, refused)
    assert s.show()["state"] == "running"
    s.ask("DELETE")
    assert error_of(service.request("POST", "/sessions", json={"ttl": 0}), 422, "invalid_value")


def test_only_its_own_key_works_in_a_session(session):
    other = session.service.new_key("run")
    for method, path, body in (("GET", "", None), ("DELETE", "", None), ("POST", "/execute", {"command": "true"}),
                               ("POST", "/extend", {"ttl": 9})):
        answer = session.service.request(method, "/sessions/" + session.id + path, key=other, json=body)
        error_of(answer, 404, "not_found")
    assert session.id not in session.service.request("GET", "/sessions", key=other).text


def test_sessions_are_found_by_their_metadata(service):
    a, b = Session(service, metadata={"task": "1", "who": "a"}), Session(service, metadata={"task": "1", "who": "b"})

    def found(query):
        return {s["session_id"] for s in service.request("GET", "/sessions?" + query, key=a.key).json()["sessions"]}
    assert found("metadata.task=1") == {a.id, b.id} and found("metadata.who=c") == set()
    assert found("metadata.task=1&metadata.who=b") == {b.id}
    assert a.id in found("state=running")
    b.ask("DELETE")
    b.ended("deleted")
    assert b.id in found("state=ended") and b.id not in found("state=running")
    a.ask("DELETE")


def test_two_sessions_do_not_see_each_other(service):
    a, b = Session(service), Session(service)
    a.run("echo secret > f; mkfifo /tmp/p")
    e = a.answer("sleep 3600", background=True).json()["execution_id"]
    a.has_jobs(1)
    seen = b.run("cat f /tmp/p; cat /proc/[0-9]*/comm | grep -v -e cat -e bash -e grep -e steward; true", timeout="20s")
    assert seen["stdout"] == ""
    a.ask("DELETE"), b.ask("DELETE")
    assert service.finished(e)["reason"] == "killed"


def test_a_session_that_ends_ends_its_jobs_and_is_in_the_record(service):
    s = Session(service)
    e = s.answer("sleep 3600", background=True).json()["execution_id"]
    s.has_jobs(1)
    assert s.ask("DELETE").status_code == 202
    assert service.finished(e)["reason"] == "killed", service.finished(e)["result"]["error"]
    shown = s.ended("deleted")
    assert shown["jobs"] == 1 and shown["jobs_running"] == 0
    error_of(s.answer("true"), 409, "conflict")
    assert service.finished(s.id)["reason"] == "killed"


def test_a_session_ends_when_its_time_is_over_and_lives_longer_when_that_is_extended(service):
    short, longer = Session(service, ttl=1), Session(service, ttl=1)
    assert longer.ask("POST", "/extend", json={"ttl": 3600}).status_code == 200
    short.ended("expired")
    assert longer.run("echo on")["stdout"] == "on\n"
    longer.ask("DELETE")


def test_code_that_was_delivered_is_no_other_jobs_to_read(service):
    """While it runs: the job's own directory below /code is its own."""
    session = Session(service, agent_id="reader")
    code = "# the secret of the job\ntouch up; while [ ! -e done ]; do sleep 0.05; done; cat $0 | wc -l"
    e = session.answer(language="bash", code=code, background=True).json()["execution_id"]
    assert not helpers.poll(lambda: "up" not in session.run("ls")["stdout"], 60)
    seen = session.run("cat /code/*/* /code/steward; for p in /proc/[0-9]*; do cat $p/environ $p/fd/0; done; "
                       "touch done; true")
    assert "secret" not in seen["stdout"], seen
    assert session.service.finished(e)["result"]["stdout"] == "1\n"
    session.ask("DELETE")


def test_a_session_begins_with_its_files(service):
    files = {"in/a b": base64.b64encode(b"\0one").decode(), "run.sh": base64.b64encode(b"cat 'in/a b'").decode()}
    s = Session(service, files=files)
    assert s.run("sh run.sh")["stdout"] == "\0one"
    s.ask("DELETE")
    before = len(service.request("GET", "/sessions?state=running", key=s.key).json()["sessions"])
    for name, data in (("../x", ""), ("/x", ""), ("", ""), ("x", "no base64"), ("x", 5)):
        error_of(service.request("POST", "/sessions", key=s.key, json={"files": {name: data}}), 422, "invalid_value")
    full = {"risk_level": "high", "agent_id": "no-workspace", "files": {"x": "eA=="}}
    error_of(service.request("POST", "/sessions", key=s.key, json=full), 409, "conflict")
    assert not helpers.poll(lambda: len(service.request("GET", "/sessions?state=running", key=s.key).json()["sessions"])
                            > before, 60), "one without its files is none"


def test_a_session_may_have_less_network_than_its_level_gives(service):
    s = Session(service, network={"mode": "none"})
    code = ("import socket\nserver = socket.create_server(('127.0.0.1', 0))\n"
            "socket.create_connection(server.getsockname())\nprint('own')\n"
            "try:\n    socket.create_connection(('1.1.1.1', 9))\nexcept PermissionError:\n    print('refused')")
    assert s.run(language="python", code=code)["stdout"] == "own\nrefused\n"
    s.ask("DELETE")
    error_of(service.request("POST", "/sessions", json={"network": {"mode": "bridge"}}), 422, "invalid_value")


# ---- paused ----

def used(pid):
    """Ticks of processor time, ever."""
    return sum(int(n) for n in helpers.read("/proc/%d/stat" % pid).rsplit(")", 1)[1].split()[11:13])


def busy(session):
    """A job in the background that takes all the processor time that it gets: its id, and its process."""
    e = session.answer(argv=["bash", "-c", "while :; do :; done", session.id], background=True).json()["execution_id"]
    assert not helpers.poll(lambda: len(load.running(session.id)) != 1, 60)
    return e, load.running(session.id)[0]


def test_a_paused_session_stands_still_and_goes_on_when_it_is_resumed(service):
    s = Session(service, agent_id="paused")
    isolation = s.made["isolation"]  # an ordinary user has neither a cgroup nor a freezer here
    by_signals = any(line.startswith("pause: ") for line in isolation["missing"])
    assert by_signals == (isolation["cgroup"] == "none"), isolation
    job, pid = busy(s)
    context = s.ask("POST", "/contexts", json={"language": "python"}).json()["context_id"]
    for _ in range(2):  # a second time is no error
        answer = s.ask("POST", "/pause")
        assert answer.status_code == 200 and answer.json()["state"] == "paused", answer.text
    before = used(pid)
    listed = service.request("GET", "/sessions?state=paused", key=s.key).json()["sessions"]
    assert [one["session_id"] for one in listed] == [s.id] and listed[0]["jobs_running"] == 2
    for method, path, body in (("POST", "/execute", {"command": "true"}), ("POST", "/processes", {"command": "true"}),
                               ("POST", "/contexts", {"language": "python"}),
                               ("POST", "/contexts/%s/execute" % context, {"code": "1"}),
                               ("GET", "/files/?list", None), ("GET", "/archive", None)):
        refused = error_of(s.ask(method, path, json=body), 409, "conflict")
        assert refused["details"]["rule"] == "session_paused" and "resume" in refused["details"]["remedy"], refused
    assert s.ask("POST", "/extend", json={"ttl": 600}).status_code == 200
    assert used(pid) == before, "it has run meanwhile"
    for _ in range(2):
        assert s.ask("POST", "/resume").json()["state"] == "running"
    assert not helpers.poll(lambda: used(pid) == before, 60), "it does not go on"
    cell = s.ask("POST", "/contexts/%s/execute" % context, json={"code": "6 * 7"}).json()
    assert cell["results"][0]["text/plain"] == "42", cell
    assert service.request("DELETE", "/executions/" + job, key=s.key).status_code == 202
    assert service.finished(job)["reason"] == "killed" and s.run("echo on")["stdout"] == "on\n"
    s.ask("DELETE")


def test_the_deadline_of_a_job_waits_while_its_session_is_paused(service):
    s = Session(service, agent_id="waits")
    for seconds in (0.3, 2, 8):  # a busy machine may let the shorter ones pass before the pause
        up = "up-%s" % seconds
        job = s.answer(": > %s; exec sleep 3600" % up, background=True,
                       timeout="%dms" % (seconds * 1000)).json()["execution_id"]
        # one that has not begun by then is refused
        assert not helpers.poll(lambda up=up: s.ask("GET", "/files/%s?stat" % up).status_code != 200, 60)
        s.ask("POST", "/pause")
        time.sleep(seconds)
        state = service.execution(job, key=s.key)["state"]
        s.ask("POST", "/resume")
        assert service.finished(job)["reason"] == "timeout"
        if state == "running":
            break
    assert state == "running"
    s.ask("DELETE")


@pytest.mark.parametrize("how", ["delete", "expire", "quarantine"])
def test_a_paused_session_ends_as_any(service, how):
    s = Session(service, agent_id="paused-" + how, ttl=1 if how == "expire" else 3600)
    job, pid = busy(s)
    assert s.ask("POST", "/pause").status_code in ((200, 409) if how == "expire" else (200,))
    if how == "delete":
        assert s.ask("DELETE").status_code == 202
    elif how == "quarantine":
        words = {"reason": "a test"}
        assert service.request("POST", "/agents/paused-quarantine/quarantine", json=words).status_code == 200
    s.ended({"delete": "deleted", "expire": "expired", "quarantine": "agent_standing"}[how])
    assert service.finished(job)["reason"] == "killed"
    assert not helpers.poll(lambda: os.path.exists("/proc/%d" % pid), 60), "frozen, and left"
    error_of(s.ask("POST", "/pause"), 409, "conflict")


# ---- from inside a second job ----

@pytest.fixture(scope="module")
def reach(tmp_path_factory):
    program = tmp_path_factory.mktemp("reach") / "reach"
    source = helpers.ROOT / "tests/sessions/reach.c"
    subprocess.run(["cc", "-static", "-O1", "-o", str(program), str(source)], check=True)
    return base64.b64encode(program.read_bytes()).decode()


def lines_of(text, word):
    return [line for line in text.splitlines() if line.startswith(word)]


@pytest.fixture(scope="module")
def hostile():
    """A service of their own for attackers: what they do is remembered of their key, and of their code."""
    with Service({**load.UNLIMITED, "security": {"responses": {"quarantine_on_violations": 1000}}}) as s:
        yield s


def waiting_of(service):
    """-> of the one session that there is: the process that waits to become a job, or is about to execute one"""
    def parent(pid):
        return int((helpers.read("/proc/%d/stat" % pid).rpartition(")")[2].split() or [0] * 2)[1])  # 0: it has ended
    stewards = set()
    for pid in helpers.descendants(service.process.pid):
        with contextlib.suppress(OSError):
            if "/code/steward" in helpers.read("/proc/%d/cmdline" % pid):
                stewards.add(pid)
    with contextlib.suppress(OSError):  # below a reaper, which is below the steward
        return sorted(p for p in stewards if parent(p) in stewards and parent(parent(p)) in stewards)
    return []


def memory_of(pid):
    """All that it may write."""
    with open("/proc/%d/maps" % pid) as maps, open("/proc/%d/mem" % pid, "rb") as memory:
        for line in maps:
            if line.split()[1].startswith("rw"):
                begin, end = (int(number, 16) for number in line.split()[0].split("-"))
                memory.seek(begin)
                yield memory.read(end - begin)


def test_what_waits_has_nothing_of_the_jobs_before(make_service):
    service = make_service(load.UNLIMITED)
    s = Session(service, ttl=600)
    mark = "of-the-job-" + os.urandom(8).hex()
    for job in ({"command": "echo $SECRET"}, {"language": "bash", "code": "echo $SECRET"}, {"command": "echo $SECRET"}):
        assert mark in s.run(**job, env={"SECRET": mark}, stdin=mark)["stdout"]
    if s.made["isolation"]["landlock"] < 6:
        helpers.skip("nothing waits: landlock has no ABI 6 here")
    assert not helpers.poll(lambda: not waiting_of(service), 60)
    pid, = waiting_of(service)
    if helpers.is_root():
        reaper = int(helpers.read("/proc/%d/stat" % pid).rsplit(")", 1)[1].split()[1])
        for p in (pid, reaper):
            pieces = list(memory_of(p))
            assert sum(map(len, pieces)) > 4096 and not any(mark.encode() in piece for piece in pieces), p
        os.kill(pid, signal.SIGKILL)  # such as by the kernel, for want of memory
        assert not helpers.poll(lambda: waiting_of(service), 30)
    shown = s.run("env; ls /code 2>&1; ls -l /proc/self/fd")
    assert shown["reason"] == "completed" and mark not in shown["stdout"], shown
    s.ask("DELETE")


COUNTS = """
import os, time
own = 1  # this very process
try:
    while True:
        if os.fork() == 0:
            time.sleep(600)
        own += 1
except OSError:
    print(own)
"""


def test_a_job_that_gets_what_waits_has_its_limit_of_processes_and_no_more(make_service):
    service = make_service(load.UNLIMITED)
    s = Session(service, ttl=600, risk_level="medium")
    if s.made["isolation"]["cgroup"] == "none":
        helpers.skip("without a cgroup the supervisor counts processes, and ends what has too many")
    s.run("cat > counts.py", stdin=COUNTS)
    most = s.made["limits"]["pids"] if "limits" in s.made else 20
    for _ in range(3):
        helpers.poll(lambda: not waiting_of(service), 5)  # none before ABI 6 of landlock
        counted = s.run(argv=["python3", "counts.py"])
        assert counted["stdout"] == "%d\n" % most, counted
    s.ask("DELETE")


def test_nothing_that_waited_for_a_command_is_held_against_the_job_that_was_none(make_service):
    """It goes when a kernel begins, and how it goes must not look as if the kernel's code had done it."""
    service = make_service(load.UNLIMITED)
    s = Session(service, agent_id="honest", ttl=600, risk_level="medium")
    for _ in range(12):
        s.run("true")
        helpers.poll(lambda: not waiting_of(service), 5)  # none before ABI 6 of landlock
        kernel = "/contexts/" + s.ask("POST", "/contexts", json={"language": "python"}).json()["context_id"]
        assert s.ask("POST", kernel + "/execute", json={"code": "1"}).json()["reason"] == "completed"
        s.ask("DELETE", kernel)
    s.ask("DELETE")
    s.ended("deleted")
    told = service.request("GET", "/agents/honest").json()
    assert not told["violations"] and told["trust"] >= 0.5, told


def test_what_waited_for_a_command_is_kept_from_code_that_comes_later(make_service):
    """All that waits has one fence, also what waits for the third command."""
    service = make_service(load.UNLIMITED)
    s = Session(service, ttl=600)
    for _ in range(2):
        s.run("true")
        helpers.poll(lambda: not waiting_of(service), 5)  # none before ABI 6 of landlock
    looks = s.answer("until [ -e /tmp/go ]; do sleep 0.05; done; echo $(ls /code | wc -l); cat /code/*/* 2>&1 | "
                     "grep -c ermission; cat /code/*/* 2>/dev/null; echo over", background=True)
    s.has_jobs(1)
    code = s.answer(language="python", code="open('/tmp/go', 'w')\nimport time\ntime.sleep(60)",
                    background=True).json()["execution_id"]
    told = service.finished(looks.json()["execution_id"])["result"]
    lines = told["stdout"].split()
    assert int(lines[0]) >= 1 and int(lines[1]) >= 1 and lines[2:] == ["over"], told
    service.request("DELETE", "/executions/" + code)
    s.ask("DELETE")


def test_code_and_plan_of_a_job_are_kept_while_it_runs_and_behind_a_short_one(service, session):
    e = session.answer(language="bash", code="sleep 3600 # kept", background=True).json()["execution_id"]
    assert not helpers.poll(lambda: not any(b"# kept" in p.read_bytes() for d in service.log_dir.rglob(e)
                                            for p in d.iterdir() if p.is_file()), 60)
    service.request("DELETE", "/executions/" + e)
    e = session.run(language="bash", code=": # kept")["execution_id"]
    listed = service.request("GET", "/executions/%s/artifacts" % e).json()["artifacts"]
    assert {"code", "plan"} <= {a["role"] for a in listed}, listed
    session.has_jobs(0)


@pytest.mark.parametrize("level", ["low", "medium"])
def test_a_job_reaches_neither_the_steward_nor_the_reapers_nor_other_jobs_nor_kernels(hostile, reach, level):
    s = Session(hostile, agent_id="attacker-" + level, risk_level=level)
    s.run("cat > reach; chmod 755 reach", stdin_base64=reach)
    kernel = "/contexts/%s/execute" % s.ask("POST", "/contexts", json={"language": "python"}).json()["context_id"]
    assert s.ask("POST", kernel, json={"code": "x = 'of the kernel'"}).json()["reason"] == "completed"
    victim = s.answer("export SECRET=of-the-victim; touch up; while [ ! -e done ]; do sleep 0.05; done; echo whole",
                      background=True).json()["execution_id"]
    assert not helpers.poll(lambda: "up" not in s.run("ls")["stdout"], 60)
    own = s.run(argv=["/workspace/reach", "own", level])["stdout"]
    reaching = s.answer("touch ready; until [ -e go ]; do sleep 0.05; done; exec ./reach %s" % level,
                        background=True).json()
    s.run("until [ -e ready ]; do sleep 0.05; done")
    assert not waiting_of(hostile), "nothing waits beside a job"
    assert s.ask("PUT", "/files/go", data=b"").status_code < 300
    ways = {" ".join(line.split()[1:-1]) for line in lines_of(own, "REACHED")}
    assert {"kill 0", "environ", "maps", "fd"} <= ways, own
    result = hostile.finished(reaching["execution_id"])["result"]
    assert result["reason"] == "completed", result
    assert not lines_of(result["stdout"], "REACHED"), result["stdout"]
    assert lines_of(result["stdout"], "tried 199,"), result["stdout"]
    assert "privilege_escalation_attempt" in str(result["violations"]), "the job's own: %s" % result["violations"]
    assert s.ask("POST", kernel, json={"code": "x"}).json()["results"][0]["text/plain"] == "'of the kernel'"
    s.run("touch done")
    ended = hostile.finished(victim)["result"]
    assert not ended["violations"], "what another job did"
    assert (ended["reason"], ended["stdout"]) == ("completed", "whole\n"), ended
    s.ask("DELETE")


def test_code_whose_shape_did_harm_runs_at_the_level_that_its_caller_may_choose(hostile):
    """And does not ask for ever: «changed 20 times while its level was decided»."""
    work = "".join("x%d = sorted([%d, 2, 3])[0] + len(str(%d))\n" % (i, i, i) for i in range(40))
    for n in range(2):
        s = Session(hostile, agent_id="shape-%d" % n)
        code = "# %d\nimport ctypes\nctypes.CDLL(None).ptrace(16, 1, 0, 0)\n%s" % (n, work)
        r = s.run(language="python", code=code)
        assert (r["reason"], r["risk_level"]) == ("completed", "low") and r["violations"], r
        s.ask("DELETE")


def test_a_job_has_no_descriptor_but_its_own(service):
    s = Session(service, agent_id="descriptors")
    seen = s.run(argv=["ls", "/proc/self/fd"])["stdout"].split()
    assert seen == ["0", "1", "2", "3"], "3 is the directory that ls reads"
    code = "import os\nprint(sorted(os.listdir('/proc/self/fd')))"
    assert s.run(language="python", code=code)["stdout"] == "['0', '1', '2', '3']\n"
    s.ask("DELETE")


def test_a_session_ends_when_its_agent_is_quarantined(service):
    s = Session(service, agent_id="loses-its-standing")
    e = s.answer("touch up; sleep 3600", background=True).json()["execution_id"]
    assert not helpers.poll(lambda: "up" not in s.run("ls")["stdout"], 60)
    words = {"reason": "a test"}
    assert service.request("POST", "/agents/loses-its-standing/quarantine", json=words).status_code == 200
    assert service.finished(e)["reason"] == "killed"
    s.ended("agent_standing")
    assert service.request("POST", "/agents/loses-its-standing/release", json=words).status_code == 200


def test_a_session_ends_when_its_agent_loses_its_standing_elsewhere(service):
    """What the API is not told, such as a command's work: the store says so."""
    s = Session(service, agent_id="banned-elsewhere")
    with contextlib.closing(sqlite3.connect(service.state_dir / "state.db", timeout=60)) as store, store:
        assert store.execute("UPDATE agents SET standing = 2 WHERE id = 'banned-elsewhere'").rowcount == 1
    s.ended("agent_standing")


def test_jobs_name_their_session_in_result_and_audit(session):
    result = session.run("true")
    assert result["session_id"] == session.id and result["execution_id"].startswith("job-")
    lines = [line for line in load.audit_lines(session.service) if result["execution_id"] in str(line)]
    assert len(lines) == 2 and all(line["agentsandbox"]["session_id"] == session.id for line in lines), lines


def test_the_death_of_the_launcher_ends_the_sessions(service):
    s = Session(service, agent_id="of-a-launcher")
    e = s.answer("touch up; sleep 3600", background=True).json()["execution_id"]
    assert not helpers.poll(lambda: "up" not in s.run("ls")["stdout"], 60)
    paused = Session(service, agent_id="paused-of-a-launcher")
    _, frozen = busy(paused)
    assert paused.ask("POST", "/pause").status_code == 200
    os.kill(load.launcher_of(service), signal.SIGKILL)
    s.ended("session_lost")
    paused.ended("session_lost")
    assert not helpers.poll(lambda: os.path.exists("/proc/%d" % frozen), 60), "frozen, and left"
    lost = service.finished(e)["result"]
    assert lost["reason"] == "sandbox_error" and "session_lost" in lost["error"]["message"], lost
    again = {"language": "bash", "code": "true"}
    assert not helpers.poll(lambda: service.request("POST", "/execute", json=again).status_code != 200, 60)


def test_jobs_have_a_limit_of_their_own_and_take_none_of_the_runs():
    s = Service(start=False)
    profile = helpers.shipped("low")
    profile["rate_limits"].update(max_jobs_per_hour=3, max_executions_per_hour=2)
    place = s.directory("profiles") / "low-risk.yaml"
    place.write_text(yaml.safe_dump(profile, sort_keys=False))
    place.chmod(0o644)
    s.configure({"sandbox": {"default_risk_level": "low", "paths": {"profiles_dir": str(place.parent)}}})
    with s:
        s.start()
        one = Session(s)
        assert [one.run("true")["reason"] for _ in range(3)] == ["completed"] * 3
        refused = error_of(one.answer("true"), 429, "rate_limited")
        assert refused["details"]["rule"] == "max_jobs_per_hour" and refused["details"]["retry_after_seconds"] > 3000
        run = {"language": "bash", "code": "true", "agent_id": "worker", "risk_level": "low"}
        assert s.request("POST", "/execute", json=run, key=one.key).status_code == 200, "the session was the first run"
        refused = error_of(s.request("POST", "/execute", json=run, key=one.key), 429, "rate_limited")
        assert refused["details"]["rule"] == "max_executions_per_hour", refused


def test_a_key_has_so_many_sessions_and_a_stop_of_the_service_ends_them_in_the_record():
    with Service({**load.UNLIMITED, "endpoints": {"api": {"max_sessions": 2}}}) as s:
        one, two = Session(s), Session(s)
        refused = error_of(s.request("POST", "/sessions", key=one.key, json={"risk_level": "low"}), 429, "queue_full")
        assert "max_sessions" in refused["details"]["remedy"], refused
        Session(s, key=s.key, agent_id="of-another-key", risk_level="medium")
        one.ask("DELETE")
        one.ended("deleted")
        three = Session(s)
        job = three.answer("sleep 3600", background=True).json()["execution_id"]
        three.has_jobs(1)
        s.stop()
        s.start()
        for made in (two.id, three.id, job):
            row = s.execution(made, key=one.key)
            assert (row["state"], row["reason"]) == ("finished", "killed"), row
        error_of(three.ask(), 404, "not_found")  # its record is what stays


def test_a_key_that_is_gone_has_no_sessions(service):
    key = service.new_key("run", "lost", allow_risk_override=True)
    s = Session(service, key=key, agent_id="of-a-lost-key")
    ids = [k["id"] for k in service.request("GET", "/keys").json()["keys"] if k["name"] == "lost"]
    assert service.request("DELETE", "/keys/" + ids[0]).status_code == 200
    assert not helpers.poll(lambda: service.request("GET", "/sessions/" + s.id).json()["end"] != "key_gone", 60)


def test_another_keys_session_is_ended_with_a_line_in_the_audit(service):
    s = Session(service, key=service.new_key("run", allow_risk_override=True), agent_id="ended-by-an-admin")
    assert service.request("DELETE", "/sessions/" + s.id).status_code == 202
    lines = [line for line in load.audit_lines(service) if line["event"]["action"] == "execution-stopped"]
    assert sum(s.id in str(line) for line in lines) == 1, lines


def test_an_ended_session_keeps_no_workspace(make_service):
    """Its descriptor would keep the file system's memory."""
    service = make_service(load.UNLIMITED)

    def held():
        at, found = "/proc/%d/" % service.pids("sandboxd")[0], []
        for name in os.listdir(at + "fd"):
            with contextlib.suppress(OSError):
                target, info = os.readlink(at + "fd/" + name), helpers.read(at + "fdinfo/" + name)
                if target.endswith("/workspace") or "scm_fds: 1" in info:  # the latter: on its way through a socket
                    found.append(target)
        return found

    if not helpers.is_root():
        helpers.skip("the service's descriptors are root's to look at")
    s = Session(service, agent_id="leaves-files")
    s.run("head -c 1000000 /dev/zero > large")
    assert not helpers.poll(lambda: not held(), 60)
    s.ask("DELETE")
    s.ended("deleted")
    assert not helpers.poll(held, 60)


def test_a_job_counts_for_its_agents_budgets(make_service):
    budgets = {"budgets": {"per_agent": {"max_executions_per_day": 3}}}
    service = make_service({**load.UNLIMITED, "rate_limiting": budgets})
    s = Session(service, agent_id="thrifty")  # the session is the first
    assert s.run("true")["reason"] == s.run("true")["reason"] == "completed"
    refused = s.answer("true")
    assert refused.status_code == 429 and "budgets.per_agent" in refused.text, refused.text


def test_a_directory_of_the_host_is_in_it_as_in_a_run(service):
    """Its files are the host's, whatever is done with them; its sockets are not reached, as from a run."""
    place = service.directory("gates/volume", 0o777)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(place / "sock"))
        listener.listen()
        (place / "sock").chmod(0o777)
        for inside in ("/data", "/workspace"):
            session = Session(service, volumes=[{"host": str(place), "inside": inside, "mode": "rw"}])
            session.run("echo made > %s/f" % inside)
            assert (place / "f").read_text() == "made\n"
            found = session.run("python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect(\"%s/sock\")' 2>&1"
                                % inside)
            assert "PermissionError" in found["stdout"], found
            session.ask("DELETE")
        assert (place / "f").read_text() == "made\n"
    session = Session(service, volumes=[{"host": str(place), "inside": "/workspace"}])
    assert "Read-only" in session.run("echo x > f 2>&1; true", cwd="/workspace")["stdout"] + session.run(
        "touch /workspace/f 2>&1; true")["stdout"]
    assert session.ask("PUT", "/files/new", data=b"x").status_code >= 400 and not (place / "new").exists()
    session.ask("DELETE")
    for volume, status in (({"host": "/etc", "inside": "/data"}, 422), ({"host": str(place), "inside": "data"}, 422)):
        answer = service.request("POST", "/sessions", key=service.override(), json={"volumes": [volume]})
        assert answer.status_code == status, answer.text
    answer = service.request("POST", "/sessions", key=service.override(), json={
        "risk_level": "high", "agent_id": "volumes-high", "volumes": [{"host": str(place), "inside": "/data"}]})
    error_of(answer, 403, "policy_denied")
