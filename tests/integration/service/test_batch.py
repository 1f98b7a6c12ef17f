"""POST /executions:batch: each line gets one answer and no other's, whose fault it is is told rightly, limits make a
batch wait, and a client that leaves leaves nothing behind."""
import http.client
import json
import os
import pathlib
import re
import signal
import threading
import urllib.parse

import helpers
import load
import pytest
from service import BASE, Service, error_of

LINES = int(os.environ.get("SANDBOX_TEST_BATCH", 150))  # of the test with launchers that die; 10000 takes minutes
KILLS = min(20, LINES // 40)


class Batch:
    """One that runs: its answers as they come."""

    def __init__(self, service, lines, key=None):
        text = "".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines)
        at = urllib.parse.urlsplit(service.url)
        self.connection = http.client.HTTPConnection(at.hostname, at.port, timeout=120)
        headers = {"Authorization": "Bearer " + (key or service.key), "Content-Type": "application/x-ndjson"}
        self.connection.request("POST", BASE + "/executions:batch", text, headers)
        self.answer = self.connection.getresponse()

    def __iter__(self):
        return (json.loads(line) for line in self.answer)

    def by_line(self):
        answers = list(self)
        assert len({a["line"] for a in answers}) == len(answers), "a line was answered twice"
        return {a["line"]: a for a in answers}

    def leave(self):
        self.answer.close()
        self.connection.close()


@pytest.fixture(scope="module")
def service():
    with Service(load.UNLIMITED) as s:
        yield s


def bash(code, **more):
    return {"language": "bash", "code": code, **more}


def test_each_line_has_one_answer_and_the_fault_is_told(service):
    wanted = {
        1: (bash("echo one"), "none", False, "completed"),
        2: (bash("exit 3"), "program", False, "error"),
        3: (bash("kill -SEGV $$"), "program", False, "signal"),
        4: (bash("sleep 60", limits={"timeout": 1}), "limit", False, "timeout"),
        7: ("{\"language\": \"bash\"\n", "program", False, None),
        8: (bash("true", colour="red"), "program", False, None),
        9: (bash("true", agent_id="key:another"), "policy", False, None),
        10: ({"language": "python", "code": "print('x' * 100000)"}, "none", False, "completed"),
    }
    lines = [wanted[n][0] for n in (1, 2, 3, 4)] + ["\n", "  \t\r\n"] + [wanted[n][0] for n in (7, 8, 9, 10)]
    batch = Batch(service, lines)
    assert (batch.answer.status, batch.answer.headers["Content-Type"]) == (200, "application/x-ndjson")
    answers = batch.by_line()
    found = {n: (a["fault"], a["retryable"], a.get("reason")) for n, a in answers.items()}
    assert found == {n: w[1:] for n, w in wanted.items()}, answers
    assert answers[1]["stdout"] == "one\n" and answers[10]["stdout"] == "x" * 100000 + "\n"
    assert answers[2]["exit_code"] == 3 and re.fullmatch("exec-[0-9a-f]{24}", answers[2]["execution_id"])
    assert [answers[n]["error"]["code"] for n in (7, 8, 9)] == ["invalid_request", "invalid_request", "forbidden"]
    assert "colour" in answers[8]["error"]["message"]
    assert service.execution(answers[2]["execution_id"])["result"]["exit_code"] == 3  # and is an execution as any other


def test_answers_come_as_programs_end(service):
    gate = service.gate()
    batch = Batch(service, [bash(gate.wait + "echo first", volumes=gate.volumes), bash("echo second")])
    answers = iter(batch)
    assert next(answers)["line"] == 2
    gate.open()
    assert next(answers)["stdout"] == "first\n" and not list(answers)


@pytest.mark.parametrize("body, headers, status, code", [
    ("", {}, 400, "invalid_request"), ("\n \n", {}, 400, "invalid_request"),
    ("{}\n", {"Idempotency-Key": "k"}, 422, "invalid_value")])
def test_what_is_no_batch_is_refused(service, body, headers, status, code):
    a = service.request("POST", "/executions:batch", data=body, headers=list(headers.items()))
    assert error_of(a, status, code)["message"]


def test_a_full_line_makes_a_batch_wait(make_service):
    """Two turns and one place to wait: most trials find no place, and each line runs once all the same."""
    few = {"enabled": False, "global": {"max_concurrent_executions": 2}}
    service = make_service({**load.UNLIMITED, "rate_limiting": few, "endpoints": {"api": {"queue_size": 1}}})
    found = []

    def work(i):
        found.append((i, Batch(service, [bash("echo %d-%d" % (i, n)) for n in range(5)]).by_line()))
    threads = [threading.Thread(target=work, args=(i,)) for i in range(5)]
    for t in threads:
        t.start()
    for t in threads:
        t.join(120)
    assert len(found) == 5
    for i, answers in found:
        wanted = {n + 1: "%d-%d\n" % (i, n) for n in range(5)}
        assert {n: a.get("stdout") for n, a in answers.items()} == wanted, answers


def test_an_agents_limit_makes_a_batch_wait_and_a_client_that_leaves_ends_it(make_service):
    """Two an hour: the third line is no answer, and is not begun when its client has gone."""
    service = make_service({"rate_limiting": {"per_agent": {"medium_risk": {"max_executions_per_hour": 2}}}})
    batch = Batch(service, [{"language": "python", "code": "print(%d)" % n, "agent_id": "busy"} for n in range(1, 4)])
    answers = iter(batch)
    assert {next(answers)["fault"], next(answers)["fault"]} == {"none"}
    assert not helpers.poll(lambda: not load.audited(service, "execution-refused"), 60)
    assert workers(service)
    batch.leave()
    assert not helpers.poll(lambda: workers(service), 60)
    assert len(service.request("GET", "/executions?agent_id=busy&reason=completed").json()["executions"]) == 2


def test_a_client_that_leaves_ends_what_runs(make_service):
    service = make_service(load.UNLIMITED)
    batch = Batch(service, [bash("sleep 300", agent_id="leaver")] * 40)
    assert not helpers.poll(lambda: not live(service, "leaver"), 60)
    batch.leave()
    assert not helpers.poll(lambda: live(service, "leaver"), 90)
    begun = service.request("GET", "/executions?agent_id=leaver&limit=100").json()["executions"]
    assert len(begun) < 40 and {e["reason"] for e in begun} == {"killed"}, begun


def workers(service):
    """Threads that run lines of a batch."""
    comms = [comm for pid in service.pids("sandboxd") for comm in pathlib.Path("/proc/%d/task" % pid).glob("*/comm")]
    return [helpers.read(str(comm)).strip() for comm in comms].count("batch")


def live(service, agent):
    return service.request("GET", "/executions?agent_id=%s&state=running" % agent).json()["executions"]


def test_launchers_that_die_lose_double_and_blame_nothing(make_service):
    """What the launcher's death cut is infrastructure's fault and may be tried again; all others are as without it."""
    if LINES > 1000:
        signal.alarm(LINES // 5)  # asked for by hand: conftest's patience is for the default
    service = make_service(load.UNLIMITED)
    codes = {0: "echo %d", 1: "echo %d; exit 1", 2: "echo %d; kill -SEGV $$"}
    reasons = {0: ("completed", "none"), 1: ("error", "program"), 2: ("signal", "program")}
    batch = Batch(service, [bash(codes[n % 3] % n) for n in range(LINES)])
    answers, kills = {}, 0
    for a in batch:
        assert a["line"] not in answers, "a line was answered twice"
        answers[a["line"]] = a
        if len(answers) > (kills + 1) * LINES // (KILLS + 1) and kills < KILLS:
            kills += 1
            helpers.kill_quietly(load.launcher_of(service))
    assert set(answers) == set(range(1, LINES + 1)) and kills == KILLS
    for number, a in answers.items():
        n = number - 1
        if a["fault"] == "infrastructure":
            assert a["retryable"], a
            assert a.get("reason") == "sandbox_error" or a["error"]["code"] in ("sandbox_error", "unavailable"), a
        else:
            assert (a["reason"], a["fault"], a["stdout"]) == (*reasons[n % 3], "%d\n" % n), a
    cut = sum(a["fault"] == "infrastructure" for a in answers.values())
    assert cut < LINES / 2, cut
    ends = load.audited(service, "execution-finished")
    assert set(ends.values()) == {1}
    load.check_audit(service)
