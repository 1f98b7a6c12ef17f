"""What the service keeps of executions is bounded in bytes: finished ones by 64 MiB together, those that live by
endpoints.api.max_buffered. Measured as resident memory of sandboxd, with output of which each byte is six bytes of
JSON."""
import concurrent.futures
import re

import helpers
import pytest
from service import Service, error_of

MIB = 1 << 20
SIZE = 6 * MIB                                         # 36 MiB as JSON
ESCAPED = "head -c %d /dev/zero | tr '\\0' '\\1'" % SIZE  # \u0001 each
SLACK = 60  # MiB: policies, caches, threads' heaps, and the pieces of answers that are under way


@pytest.fixture(scope="module")
def service():
    with Service({"rate_limiting": {"enabled": False},
                  "endpoints": {"api": {"max_buffered": "64m", "write_timeout": 300}}}) as s:
        yield s


def memory(service, name="VmRSS"):
    """MiB of the largest sandboxd: the service (its parent is small)."""
    found = [re.search(r"^%s:\s+(\d+) kB" % name, helpers.read("/proc/%d/status" % pid), re.M)
             for pid in service.pids("sandboxd")]
    return max(int(f[1]) for f in found if f) / 1024


def settles(service, most):
    """Until the memory is at most this: what is freed may be a moment late (artifacts are written behind the answer).
    -> MiB"""
    helpers.poll(lambda: memory(service) > most, 60)
    return memory(service)


def test_finished_runs_with_large_escaped_output_hold_little_memory(service):
    before, key = memory(service), service.override()

    def run(_):
        answer = service.execute(ESCAPED, "bash", risk_level="low", key=key, session=service.connection())
        assert answer.status_code == 200 and len(answer.content) > 6 * SIZE, answer.text[:500]
    for i in range(4):  # with those below 250 MiB, were they all kept
        run(i)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(run, range(2)))
    e = service.submit(ESCAPED, "bash", risk_level="low", key=service.override())
    assert not helpers.poll(lambda: service.request("GET", "/executions?state=finished&limit=500").text.count(e) == 0,
                            120)
    most = before + 64 + SLACK
    assert settles(service, most) <= most, "before: %d MiB" % before


def test_the_result_of_the_last_asynchronous_run_is_there_whole(service):
    e = service.submit(ESCAPED, "bash", risk_level="low", key=service.override())
    assert service.finished(e, patience=300)["result"]["stdout"] == "\x01" * SIZE
    assert service.finished(e)["result"]["stdout"] == "\x01" * SIZE
    # the output as events, and once more in the result
    events = service.request("GET", "/executions/%s/events" % e).content
    assert events.count(b"\\u0001") == 2 * SIZE and events.endswith(b"}}\n\n") and events.count(b"event: result\n") == 1


def test_what_live_runs_keep_stays_within_the_setting_and_a_result_that_is_cut_says_so(service):
    """Five that have printed 6 MiB each wait: with what is needed for it that is 120 MiB, and they may have 64."""
    before, gate = memory(service), service.gate()
    ids = [service.submit(ESCAPED + "; echo printed >&2; " + gate.wait + "echo end >&2", "bash", risk_level="low",
                          volumes=gate.volumes, key=service.override())
           for _ in range(5)]
    for e in ids:
        assert not helpers.poll(lambda e=e: service.execution(e)["state"] == "queued", 120)
    helpers.poll(lambda: memory(service) < before + 20, 30)
    most = before + 64 + 64 + SLACK
    seen = [memory(service)]
    gate.open()
    results = [service.finished(e, patience=300)["result"] for e in ids]
    seen.append(memory(service))
    assert max(seen) <= most, (before, seen)
    cut = [r for r in results if r and r["stdout_truncated"]]
    whole = [r for r in results if r and not r["stdout_truncated"]]
    assert cut, "none was cut: %s" % [r and len(r["stdout"]) for r in results]
    for r in cut:
        assert (r["reason"] == "completed" and set(r["stdout"]) <= {"\x01"}
                and any("endpoints.api.max_buffered" in m for m in r["isolation"]["missing"])), r["isolation"]
        assert not any(v["type"] == "output_limit" for v in r["violations"]), "its own limit was not reached"
    for r in whole:
        assert r["stdout"] == "\x01" * SIZE
    assert service.run("echo again", "bash", risk_level="low")["stdout_truncated"] is False


def test_large_requests_that_wait_are_bounded_too(make_service):
    s = make_service({"rate_limiting": {"enabled": False, "global": {"max_concurrent_executions": 1}},
                      "endpoints": {"api": {"max_buffered": "16m"}}})
    gate = s.gate()
    s.submit(gate.wait, "bash", risk_level="low", volumes=gate.volumes)
    body = {"language": "bash", "code": "true", "stdin": "x" * (3 * MIB), "risk_level": "low"}
    answers = [s.request("POST", "/executions", json=body) for _ in range(4)]
    assert [a.status_code for a in answers] == [202, 202, 503, 503], [a.text[:200] for a in answers]
    error = error_of(answers[-1], 503, "unavailable")
    assert "endpoints.api.max_buffered" in error["message"] and int(answers[-1].headers["Retry-After"]) >= 1
    gate.open()
    for a in answers[:2]:
        assert s.finished(a.json()["execution_id"])["result"]["reason"] == "completed"
    assert s.request("POST", "/executions", json=body).status_code == 202
