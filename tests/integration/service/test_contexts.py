"""Contexts: cells of a session that share their variables (docs/sessions.md)."""
import os
import signal
import threading

import helpers
import load
import pytest
from service import Service, error_of
from test_sessions import Session


class Context:
    def __init__(self, session, language="python"):
        self.session = session
        answer = session.ask("POST", "/contexts", json={"language": language})
        assert answer.status_code == 201, answer.text
        self.id = answer.json()["context_id"]

    def ask(self, what, method="POST", **kwargs):
        return self.session.ask(method, "/contexts/%s%s" % (self.id, what), **kwargs)

    def answer(self, code, **body):
        return self.ask("/execute", json={"code": code, **body})

    def run(self, code, **body):
        answer = self.answer(code, **body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def value(self, code):
        said = self.run(code)
        assert said["reason"] == "completed", said
        return said["results"][-1]["text/plain"]


@pytest.fixture(scope="module")
def service():
    with Service({**load.UNLIMITED}) as s:
        yield s


@pytest.fixture(scope="module")
def patient():
    """A service that gives cells time to take an interrupt, however busy the machine is."""
    s = Service(start=False)
    try:
        profiles = s.directory("profiles")
        for level in helpers.LEVELS:
            values = helpers.merged(helpers.shipped(level), {"execution": {"grace": "20s"}})
            (profiles / (level + "-risk.yaml")).write_text(helpers.to_yaml(values))
        s.configure(helpers.merged(load.UNLIMITED, {"sandbox": {"paths": {"profiles_dir": str(profiles)}}}))
        s.start()
    except BaseException:
        s.close(check=False)
        raise
    with s:
        yield s


@pytest.fixture(scope="module", params=["low", "medium"])
def session(service, request):
    return Session(service, ttl=3600, risk_level=request.param)


@pytest.fixture(scope="module")
def context(session):
    return Context(session)


def test_variables_stay_and_values_come_back(context):
    first = context.run("x = 20\nprint('said')\nimport sys\nn = sys.stderr.write('err')\nx + 1")
    assert first["reason"] == "completed" and first["exit_code"] == 0, first
    assert (first["stdout"], first["stderr"], first["exception"]) == ("said\n", "err", None), first
    assert first["results"] == [{"kind": "value", "text/plain": "21"}], first
    assert context.value("x * 2") == "40"
    assert context.run("x = 1")["results"] == []


def test_a_value_comes_in_all_its_forms(context):
    context.run("class Table:\n    def __repr__(self): return 'plain'\n    def _repr_html_(self): return '<b>1</b>'\n"
                "    def _repr_json_(self): return {'a': [1]}\n    def _repr_png_(self): return b'\\x89PNG'")
    said = context.run("display(Table())\nTable()")
    assert [r["kind"] for r in said["results"]] == ["display", "value"], said
    assert said["results"][1] == {"kind": "value", "text/html": "<b>1</b>", "application/json": {"a": [1]},
                                  "image/png": "iVBORw==", "text/plain": "plain"}, said


def test_an_error_comes_with_its_traceback_and_the_context_goes_on(context):
    context.run("kept = 'kept'")
    failed = context.run("1 / 0")
    assert (failed["reason"], failed["exit_code"]) == ("error", 1), failed
    assert failed["exception"]["name"] == "ZeroDivisionError", failed
    assert failed["exception"]["value"] == "division by zero" and "1 / 0" in "\n".join(failed["exception"]["traceback"])
    assert context.run("def (")["exception"]["name"] == "SyntaxError"
    assert context.value("kept") == "'kept'"


def test_a_cell_has_no_input_and_frames_are_out_of_its_way(context):
    assert context.run("input()")["exception"]["name"] == "EOFError"
    assert context.value("1") == "1"


def test_cells_of_node(session):
    context = Context(session, "js")
    assert context.ask("/restart").json()["language"] == "node"
    context.run("const x = 20; console.log('said'); function twice(n) { return 2 * n; }")
    assert context.value("await Promise.resolve(twice(x) + 2)") == "42"
    failed = context.run("nowhere")
    assert (failed["reason"], failed["exception"]["name"]) == ("error", "ReferenceError"), failed
    empty = "process.stdin.resume(); await new Promise((done) => process.stdin.on('end', done))"
    assert context.run(empty)["reason"] == "completed"
    if session.made["risk_level"] == "medium":
        error_of(context.answer("require('fs')"), 403, "policy_denied")
        assert "blocked_module" in [v["type"] for v in context.run("require(Object.keys({fs: 1})[0])")["violations"]]
        assert context.value("x") == "20"


def test_cells_of_bash(session):
    context = Context(session, "sh")
    context.run("mkdir -p d; cd d; x=20; f() { echo f$x; }")
    assert context.run("pwd; f; cat")["stdout"] == "/workspace/d\nf20\n"
    failed = context.run("set -e; false; echo never")
    told = {"name": "ExitStatus", "value": "1", "traceback": ["exit status 1"]}
    assert (failed["reason"], failed["exception"], failed["stdout"]) == ("error", told, ""), failed
    assert context.run("echo $x")["stdout"] == "20\n"


@pytest.mark.parametrize("language, code", [
    ("node", "require('fs').writeFileSync('/workspace/%s.runs', ''); while (true) {}"),
    ("bash", ": > /workspace/%s.runs; while :; do :; done")])
def test_a_cell_of_another_language_is_interrupted(service, language, code):
    context = Context(Session(service, ttl=3600), language)
    said = interrupted(context, code % context.id)
    assert said["reason"] == "error" and said["exception"]["name"] == "Interrupted", said
    assert context.run("1" if language == "node" else "true")["reason"] == "completed"


def interrupted(context, code):
    """What code ends with that is interrupted while it runs."""
    said = {}
    thread = threading.Thread(target=lambda: said.update(context.run(code)))
    thread.start()
    name = context.id + ".runs"
    assert not helpers.poll(lambda: context.session.ask("GET", "/files/%s?stat" % name).status_code != 200, 60)
    error_of(context.answer("1"), 409, "conflict")  # one at a time
    assert context.ask("/interrupt").status_code == 202
    thread.join()
    context.session.ask("DELETE", "/files/" + name)
    return said


def test_a_cell_is_interrupted(context):
    error_of(context.ask("/interrupt"), 409, "conflict")
    context.run("before = 1")
    said = interrupted(context, "open('/workspace/%s.runs', 'w').close()\nwhile True: pass" % context.id)
    assert said["reason"] == "error" and said["exception"]["name"] == "KeyboardInterrupt", said
    assert context.value("before") == "1"


def at_its_deadline(context, before):
    """What a cell ends with that a deadline interrupts, behind the cell `before`. An interrupt that comes sooner than
    the cell has begun does not help, and its kernel is ended: then again, with more time."""
    def run(seconds):
        context.run(before)
        said = context.run("while True: pass", timeout=seconds)
        if not said["exception"]:
            assert context.ask("/restart").status_code == 200
        return said
    return helpers.at_the_deadline(run, is_ready=lambda said: said["exception"])


@pytest.mark.parametrize("level", ["low", "medium"])
def test_a_deadline_interrupts_a_cell(patient, level):
    context = Context(Session(patient, ttl=3600, risk_level=level))
    said = at_its_deadline(context, "before = 1")
    assert said["reason"] == "timeout" and said["exception"]["name"] == "KeyboardInterrupt", said
    assert context.value("before") == "1"


def test_a_deadline_ends_a_kernel_that_does_not_listen(session):
    context = Context(session)
    context.run("before = 1\nimport signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)")
    said = context.run("while True: pass", timeout="200ms")
    assert said["reason"] == "timeout" and said["exception"] is None, said
    error_of(context.answer("1"), 409, "conflict")
    restarted = context.ask("/restart")
    assert (restarted.status_code, restarted.json()["context_id"]) == (200, context.id), restarted.text
    assert context.run("before")["exception"]["name"] == "NameError"
    assert context.ask("", "DELETE").status_code == 200
    error_of(context.answer("1"), 404, "not_found")


def test_contexts_do_not_see_each_other(context):
    other = Context(context.session)
    context.run("mine = 1")
    assert other.run("mine")["exception"]["name"] == "NameError"
    other.run("mine = 2")
    assert context.value("mine") == "1"
    other.ask("", "DELETE")
    assert context.value("mine") == "1"


def test_a_broken_kernel_ends_its_context_and_nothing_else(service):
    session = Session(service, ttl=3600)
    kept = Context(session)
    kept.run("x = 1")
    find = "import os, socket, stat\nfd = [f for f in range(1, 64) if os.path.exists('/proc/self/fd/%d' % f) and " \
           "stat.S_ISSOCK(os.fstat(f).st_mode)][0]\n"
    for code in ("import os; os._exit(3)", "import os; os.kill(os.getpid(), 9)", find + "os.close(fd)",
                 find + "os.write(fd, b'nonsense\\n'); 1", find + "os.write(fd, b'd 1 0\\nd 1 0\\n'); 1",
                 find + "os.write(fd, b'm 1 99999999999\\n')"):
        broken = Context(session)
        said = broken.run(code)
        assert said["reason"] != "completed" or "d 1 0" in code, (code, said)
        assert not helpers.poll(lambda: broken.answer("1").status_code != 409, 60), code
        assert broken.ask("", "DELETE").status_code == 200
    assert kept.value("x") == "1"
    assert session.run("echo on")["stdout"] == "on\n"


def test_a_forged_result_is_the_cells_own(service):
    context = Context(Session(service, ttl=3600))
    said = context.run("import os, stat\nfd = [f for f in range(1, 64) if os.path.exists('/proc/self/fd/%d' % f) and "
                       "stat.S_ISSOCK(os.fstat(f).st_mode)][0]\nfrom os import write\n"
                       "n = write(fd, b'r 1 5\\nvaluem 1 12\\ntext/plain\\0x')")
    assert said["results"] == [{"kind": "value", "text/plain": "x"}], said
    assert context.value("2") == "2"


def test_a_cell_that_is_refused_leaves_the_context_as_it_was(service):
    context = Context(Session(service, ttl=3600, risk_level="medium"))
    context.run("x = 1")
    error_of(context.answer("import subprocess"), 403, "policy_denied")
    assert context.value("x") == "1"


def test_a_context_ends_with_its_session(service):
    session = Session(service, ttl=3600)
    context = Context(session)
    context.run("x = 1")
    assert session.ask("DELETE").status_code == 202
    session.ended("deleted")
    error_of(context.answer("x"), 409, "conflict")


def test_bounds(service):
    session = Session(service, ttl=3600)
    contexts = [Context(session) for _ in range(8)]
    error_of(session.ask("POST", "/contexts", json={"language": "python"}), 429, "queue_full")
    contexts[0].ask("", "DELETE")
    assert Context(session).value("1") == "1"
    error_of(session.ask("POST", "/contexts", json={"language": "go"}), 422, "invalid_value")


def test_a_cell_has_its_own_violations_and_record(service):
    """A name that only the guard sees is refused while it runs, and told with the cell whose it is."""
    context = Context(Session(service, ttl=3600, risk_level="medium"))
    assert context.run("x = 1")["violations"] == []
    said = context.run("import sys, importlib\nimportlib.import_module(sys.prefix[:0] + "
                       "''.join(map(chr, [115, 111, 99, 107, 101, 116])))")  # socket
    assert [v["type"] for v in said["violations"]] == ["blocked_module"], said
    assert context.run("x")["violations"] == []
    record = service.request("GET", "/executions/" + said["execution_id"], key=context.session.key).json()
    assert record["result"]["results"] == said["results"] and record["result"]["session_id"] == context.session.id


def test_cells_are_scanned_as_what_they_add_up_to(service):
    context = Context(Session(service, ttl=3600))
    assert context.run("import os\nwhere = '/etc/sha'")["findings"] == []
    context.run('broken = """')  # hides nothing of what follows
    apart = Context(context.session).run("secret = open(where + 'dow').read()")["findings"]
    together = context.run("secret = open(where + 'dow').read()")["findings"]
    assert len(together) > len(apart), (together, apart)


def test_a_module_whose_name_is_split_over_cells_is_refused_and_an_honest_one_is_not(service):
    context = Context(Session(service, ttl=3600, risk_level="medium", agent_id="splits"))
    assert context.run("import importlib\nhalf = 'sub'\nother = 'js'")["reason"] == "completed"
    assert context.value("importlib.import_module(other + 'on').dumps([1])") == "'[1]'"
    error_of(context.answer("importlib.import_module(half + 'process')"), 403, "policy_denied")
    assert context.value("half") == "'sub'"


def test_at_high_cells_compute_and_have_tmp_and_no_more(patient):
    session = Session(patient, ttl=3600, risk_level="high", agent_id="distrusted")
    context, other = Context(session), Context(session)
    context.run("import math\nx = 20")
    assert context.value("x + math.floor(1.5)") == "21" and context.run("print(1)")["stdout"] == "1\n"
    assert context.value("open('/tmp/file', 'w').write('kept')") == "4"
    assert other.value("open('/tmp/file').read()") == "'kept'"
    assert context.run("input()")["exception"]["name"] == "EOFError"
    assert context.run("open('/workspace/file', 'w')")["exception"]["name"] == "OSError"
    for place in ("/proc/self/environ", "/etc/passwd", "/dev/null", "/usr/bin/env", "/bin/sh"):
        assert context.run("open(%r)" % place)["exception"]["name"] in ("FileNotFoundError", "PermissionError"), place
    error_of(context.answer("import socket"), 403, "policy_denied")
    error_of(session.ask("POST", "/contexts", json={"language": "node"}), 403, "policy_denied")
    assert other.run("x")["exception"]["name"] == "NameError"
    said = at_its_deadline(context, "x = 20")
    assert (said["reason"], said["risk_level"], said["violations"]) == ("timeout", "high", []), said
    assert said["isolation"]["limits"]["max_processes"] == 5 and session.made["isolation"]["limits"]["pids"] == 10
    assert context.value("x") == "20"
    session.ask("DELETE")


REACHES = "path = ''.join(map(chr, [%s]))\ntry: open(path, 'a')\nexcept OSError: pass" % str(list(b"/etc/passwd"))[1:-1]


def test_a_cells_violations_count_for_its_agent_as_a_runs_do_and_end_the_session(service):
    """And only they: an agent whose cells fail, but reach for nothing, goes on."""
    honest = Context(Session(service, ttl=3600, risk_level="medium", agent_id="honest"))
    context = Context(Session(service, ttl=3600, risk_level="medium", agent_id="reaches"))
    for i in range(8):
        assert honest.run("1 / 0" if i % 2 else "x = %d" % i)["reason"] == ("error" if i % 2 else "completed")
    first = context.run("1")["trust"]
    said = context.run(REACHES)
    assert [v["type"] for v in said["violations"]] == ["privilege_escalation_attempt"], said
    assert said["trust"]["after"] < said["trust"]["before"] <= first["after"], (first, said)
    assert context.run("2")["violations"] == []
    assert [context.answer(REACHES).status_code for _ in range(2)] == [200, 200]
    context.session.ended("agent_standing")
    error_of(context.answer("1"), 409, "conflict")
    agent = service.request("GET", "/agents/reaches").json()
    assert agent["standing"] == "quarantined", agent
    assert honest.value("x") == "6" and service.request("GET", "/agents/honest").json()["standing"] == "good"


def scanners(service):
    """-> pids of the service's scanners that live"""
    found = []
    for pid in helpers.descendants(service.process.pid):
        status = helpers.status(pid)  # empty: it has gone
        found += [pid] if status.get("Name") == "sandbox-scan" and status["State"][0] != "Z" else []
    return found


def test_one_scanner_stays_for_the_cells_of_a_context_and_another_takes_its_place():
    # a scan that comes too late ends its scanner
    with Service({**load.UNLIMITED, "agixt": {"analysis": {"timeout": "60s"}}}) as service:
        context = Context(Session(service, ttl=3600))
        assert context.run("import os\nwhere = '/etc/sha'")["findings"] == []
        assert not helpers.poll(lambda: len(scanners(service)) != 1, 60), scanners(service)
        first, = scanners(service)
        second = context.run("secret = open(where + 'dow').read()")["findings"]
        assert second and not helpers.poll(lambda: scanners(service) != [first], 60), (second, scanners(service))
        os.kill(first, signal.SIGKILL)
        assert not helpers.poll(lambda: first in scanners(service), 60)
        assert context.run("1")["findings"] == second
        assert not helpers.poll(lambda: len(scanners(service)) != 1, 60), scanners(service)
        third, = scanners(service)
        assert third != first
        assert context.run("#" * 70000)["findings"] == second  # longer than one that stays takes: a scanner of its own
        assert not helpers.poll(lambda: scanners(service) != [third], 60), (third, scanners(service))
        assert context.ask("", "DELETE").status_code == 200
        assert not helpers.poll(lambda: scanners(service), 60)


def test_the_output_of_a_cell_is_streamed(service):
    context = Context(Session(service, ttl=3600))
    text = context.answer("print('out')\n1", stream=True).text
    assert all(word in text for word in ('"type":"stdout"', '"text/plain":"1"')), text
