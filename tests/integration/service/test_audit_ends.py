"""Each end in the audit has its decision, whenever the service is killed, and a key that others may read stops
everything at once."""
import collections
import json
import time

import helpers
import load
import pytest
from load import Load
from service import error_of, preloaded

# Lines of the audit take their time: a kill comes between what the store knows and what the audit knows.
SLOW = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>
ssize_t writev(int fd, const struct iovec *v, int n)
{
    ssize_t (*real)(int, const struct iovec *, int) = dlsym(RTLD_NEXT, "writev");
    usleep(20000);
    return real(fd, v, n);
}
"""
ENDS = ("execution-finished", "execution-recovered")


def check_ends(service):
    """-> how many ends there are, by action"""
    place, ends = {}, collections.Counter()
    for n, line in enumerate(load.audit_lines(service)):
        action, who = line["event"]["action"], line.get("process", {}).get("entity_id")
        if action == "execution-decided":
            place[who] = n
        if action in ENDS or line["event"].get("type") == ["end"] or line["event"].get("type") == "end":
            assert who in place, "an end without its decision: %s" % json.dumps(line)
            ends[action] += 1
    return ends


def test_after_kill_9_no_end_is_without_its_decision_and_no_decision_without_its_end(make_service):
    with preloaded(SLOW) as env:
        service = make_service(load.UNLIMITED, env=env)
        for _ in range(4):
            with Load(service, clients=8, kinds=("sync", "async"), code="echo %s", waits=False) as crowd:
                assert not helpers.poll(lambda: len(crowd.results) < 10, 120), crowd.failures[:3]
                service.kill9()
                crowd.ends.set()
            service.start()
        began = set(load.audited(service, "execution-decided"))
        missing = helpers.poll(lambda: began - set(load.audited(service,
                                                                ENDS[0])) - set(load.audited(service, ENDS[1])), 5)
        assert not missing, ("began, and never ended: %s"
                             % [(line, [r for r in load.store_rows(service) if r["id"] in missing], service.logs)
                                for line in load.audit_lines(service)
                                if line.get("process", {}).get("entity_id") in missing][:4])
        ends = check_ends(service)
        assert sum(ends.values()) == len(began), (ends, len(began))
        rows = load.store_rows(service)
        undecided = [r["id"] for r in rows if r["started_ms"] and r["id"] not in began]
        print("%s, and %d runs that had no decision yet" % (dict(ends), len(undecided)))
        assert undecided or ends["execution-recovered"], "no kill came in between"
        load.check_audit(service)


def test_a_run_that_cannot_be_planned_is_a_refusal_and_no_end(make_service):
    service = make_service(load.UNLIMITED)
    answer = service.execute("true", "bash", agent_id="unplanned",
                             volumes=[{"host": str(service.dir / "absent"), "inside": "/v", "mode": "ro"}])
    assert answer.status_code != 200, answer.text
    assert service.run("true", "bash", agent_id="unplanned")["reason"] == "completed"
    assert check_ends(service) == {"execution-finished": 1}


@pytest.mark.parametrize("mode", [0o604, 0o640, 0o606])
def test_an_audit_key_that_others_may_read_is_refused_at_once(make_service, mode):
    service = make_service(load.UNLIMITED)
    assert service.run("true", "bash")["reason"] == "completed"
    (service.state_dir / "audit.key").chmod(mode)
    lines = len(load.audit_lines(service))
    error = error_of(service.execute("true", "bash"), 500, "sandbox_error")
    assert ("audit.key" in error["message"] and "others may read it" in error["message"]
            and "0600" in error["details"]["remedy"]), error
    assert len(load.audit_lines(service)) == lines
    ready = service.outside("GET", "/readyz")
    assert ready.status_code == 503 and "audit.key" in ready.json()["checks"]["audit"], ready.text
    (service.state_dir / "audit.key").chmod(0o600)
    assert service.run("true", "bash")["reason"] == "completed"
    assert service.outside("GET", "/readyz").status_code == 200
