"""The service under load: nothing is lost, nothing happens twice, whoever is killed on the way.

200 clients ask for SANDBOX_LOAD_SECONDS: 60 in a full proof, otherwise 3, so that all of CI stays in its time.
"""
import collections
import json
import os
import threading
import time

import helpers
import load
import pytest
from load import UNLIMITED, Client, Load

SECONDS = float(os.environ.get("SANDBOX_LOAD_SECONDS", "3"))


@pytest.fixture(autouse=True)
def long_enough(watchdog):
    """The watchdog's time is for tests of seconds."""
    import signal
    if threading.current_thread() is threading.main_thread():
        signal.alarm(int(180 + 3 * SECONDS))


def test_200_clients_and_nothing_is_lost_or_happens_twice(make_service):
    service = make_service({**UNLIMITED, "endpoints": {"api": {"queue_size": 120, "queue_timeout": "120s"}}})
    with Load(service, clients=200, patience=150) as crowd:
        time.sleep(SECONDS)
        crowd.wait_for(201)
    crowd.check_replies()
    # what is on its way to the disk arrives when the service has drained
    assert service.stop() == 0
    replies = collections.Counter(list(crowd.results))
    rows = load.store_rows(service)
    assert collections.Counter(r["id"] for r in rows) == replies
    assert {r["id"] for r in rows if r["is_asynchronous"]} == set(crowd.accepted)
    assert load.audited(service, "execution-decided") == replies
    assert load.audited(service, "execution-finished") == replies
    assert load.logged(service) == replies
    # the refused ones: counted here, and nowhere else
    assert crowd.asked == len(replies) + sum(crowd.refused.values()), (crowd.asked, len(replies), crowd.refused)
    assert set(crowd.refused) <= {429}, crowd.refused
    load.check_audit(service)
    print("%d executions, %d refused, %.0f a second"
          % (len(replies), sum(crowd.refused.values()), len(replies) / SECONDS))


def test_refusals_by_a_full_queue_say_when_to_come_again_and_never_become_executions(make_service):
    service = make_service({**UNLIMITED, "rate_limiting": {"enabled": True, "global": {"max_concurrent_executions": 2}},
                            "endpoints": {"api": {"queue_size": 4}}})
    client = Client(service.url, service.key)
    gate = service.gate()
    body = {"language": "bash", "code": gate.wait, "volumes": gate.volumes, "risk_level": "low"}
    answers = [client.ask("POST", "/executions", body) for _ in range(12)]
    gate.open()
    accepted = [json.loads(a.body)["execution_id"] for a in answers if a.status == 202]
    refused = [a for a in answers if a.status != 202]
    assert len(accepted) == 5, [a.status for a in answers]  # two run; one name may have three quarters of the line
    for a in refused:
        assert a.status == 429 and int(a.headers["Retry-After"]) >= 1, a
        assert json.loads(a.body)["error"]["code"] == "queue_full", a
    for i in accepted:
        assert load.wait_finished(client, i, 120)["reason"] == "completed"
    client.close()
    service.stop()
    assert {r["id"] for r in load.store_rows(service)} == set(accepted)
    assert set(load.audited(service, "execution-decided")) == set(accepted)


def test_a_crowd_of_one_agent_does_not_keep_another_one_waiting_for_all_of_it(make_service):
    service = make_service({"sandbox": {"default_risk_level": "low"},
                            "rate_limiting": {"enabled": True,
                                              "per_agent": {"low_risk": {"max_executions_per_hour": 1000}},
                                              "global": {"max_concurrent_executions": 2}}})
    client = Client(service.url, service.key)
    gate = service.gate()
    body = {"language": "bash", "code": gate.wait, "volumes": gate.volumes, "risk_level": "low"}
    crowd = [json.loads(client.ask("POST", "/executions", {**body, "agent_id": "crowd"}).body)["execution_id"]
             for _ in range(30)]
    single = json.loads(client.ask("POST", "/executions", {**body, "agent_id": "single"}).body)["execution_id"]
    gate.open()
    load.wait_finished(client, single, 120)
    service.stop()
    began = {r["id"]: r["started_ms"] for r in load.store_rows(service)}
    before = [i for i in crowd if began[i] and began[i] < began[single]]
    assert len(before) <= 6, "the single one waited for %d of the crowd" % len(before)
    client.close()


def test_when_the_launcher_is_killed_running_ones_end_and_next_ones_run(make_service):
    service = make_service(UNLIMITED)
    launcher = load.launcher_of(service)
    answers, clients = [], []

    def run(i):
        client = Client(service.url, service.key, patience=120)
        answers.append(client.ask("POST", "/execute",
                                  {"language": "bash", "code": "sleep " + load.seconds(i), "risk_level": "medium"}))
        client.close()
    for i in range(20):
        clients.append(threading.Thread(target=run, args=(i,), daemon=True))
        clients[-1].start()
    asynchronous = service.submit("sleep " + load.seconds(99), "bash", risk_level="medium")
    assert not helpers.poll(lambda: not all(load.running(load.seconds(i)) for i in [*range(20), 99]),
                            90), "not all of them run"
    with Load(service, clients=8, kinds=("sync",)) as others:
        helpers.kill_quietly(launcher)
        for c in clients:
            c.join(60)
        assert not [c for c in clients if c.is_alive()], "a client of a dead launcher hangs"
        after = len(others.results)
        others.wait_for(after + 20)  # or nothing runs after the launcher died
    for a in answers:
        assert a.status == 500 and json.loads(a.body)["error"]["code"] == "sandbox_error", a
    assert service.finished(asynchronous)["result"]["reason"] == "sandbox_error"
    # those beside it: refused or ended as such while there was none, and whatever was answered with 200 was whole
    assert not [w for w in others.failures if "sandbox_error" not in w], others.failures[:5]
    others.failures.clear()
    others.results = {i: r for i, r in others.results.items() if r["reason"] != "sandbox_error"}
    others.check_replies()
    load.check_nothing_left(service, [launcher])
    assert load.launcher_of(service) != launcher


def test_sigterm_lets_running_ones_end_and_takes_no_new_ones(make_service):
    service = make_service(UNLIMITED)
    pid = service.process
    with Load(service, clients=16, kinds=("sync", "stream"), code="sleep 0.3; echo %s") as crowd:
        crowd.wait_for(20)
        queued = [service.submit("sleep 0.5; echo last", "bash") for _ in range(10)]
        service.signal(15)
        code = service.wait()
    assert code == 0, pid
    broken = [w for w in crowd.failures if "503" not in w and "Refused" not in w and "Disconnected" not in w
              and "Reset" not in w and "Broken" not in w]
    assert not broken, broken[:5]
    crowd.failures.clear()
    crowd.check_replies()
    rows = {r["id"]: r for r in load.store_rows(service)}
    finished = load.audited(service, "execution-finished")
    # whatever was begun has ended, was told in the audit, and was answered to whom it belonged
    assert {i for i, r in rows.items() if not r["is_asynchronous"]} == set(crowd.results)
    for i in queued:
        assert rows[i]["finished_ms"], "%s has no end: %s" % (i, rows[i])
    assert set(finished) >= set(crowd.results)
    assert max(finished.values()) == 1
    load.check_audit(service)
