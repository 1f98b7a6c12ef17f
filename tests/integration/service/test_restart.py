"""kill -9 of the service in the middle of a load: whatever was accepted is accounted for by the next one."""
import json
import os
import sqlite3

import helpers
import load
from load import Client, Load

UNLIMITED = {**load.UNLIMITED, "endpoints": {"api": {"queue_size": 2000, "queue_timeout": "10m"}}}


def test_after_kill_9_every_accepted_execution_has_an_end_and_nothing_is_left(make_service):
    service = make_service(UNLIMITED)
    launcher = load.launcher_of(service)
    with Load(service, clients=24, kinds=("async", "async", "sync"), code="sleep 0.05; echo %s", waits=False) as crowd:
        assert not helpers.poll(lambda: len(crowd.accepted) < 120 or len(crowd.results) < 20,
                                120), (len(crowd.accepted), crowd.failures[:3])
        cut = service.submit("sleep 600", "bash")  # waits or runs: it does not end of itself
        service.kill9()
        crowd.ends.set()
    load.check_nothing_left(service, [launcher])
    before = {r["id"]: r for r in load.store_rows(service)}
    service.start()
    assert set(crowd.accepted) <= set(before), "accepted, and not in the store"
    assert set(crowd.results) <= set(before), "answered, and not in the store"
    client, reasons = Client(service.url, service.key), {}
    for i in before:
        reasons[i] = load.wait_finished(client, i, 120)["reason"]
    client.close()
    assert set(reasons.values()) <= {"completed", "sandbox_error"}, set(reasons.values())
    assert reasons[cut] == "sandbox_error"
    for i, row in before.items():
        if row["finished_ms"]:
            assert reasons[i] == "completed", "%s had an end before the kill and has another one now" % i
    for i in crowd.results:
        assert reasons[i] == "completed"
    # no execution ends twice in the audit, and none that began lacks its end
    began = set(load.audited(service, "execution-decided"))
    without = helpers.poll(lambda: began - set(load.audited(service, "execution-finished")) - set(
        load.audited(service, "execution-recovered")), 60)
    assert not without, "began, and never ended: %s" % [(before.get(i), reasons.get(i), service.logs) for i in without]
    ends = load.audited(service, "execution-finished") + load.audited(service, "execution-recovered")
    assert max(ends.values()) == 1, [i for i, n in ends.items() if n > 1][:3]
    load.check_audit(service)
    assert service.run("echo again", "bash")["stdout"] == "again\n"


def test_a_killed_service_leaves_no_program_running_and_no_key_is_lost(make_service):
    service = make_service(UNLIMITED)
    reader, first = service.new_key("read"), service.key
    launcher = load.launcher_of(service)
    words = [load.seconds(i) for i in range(5)]
    submitted = [service.submit("sleep " + word, "bash") for word in words]
    assert not helpers.poll(lambda: not all(map(load.running, words)), 90)
    service.kill9()
    assert not helpers.poll(lambda: list(filter(load.running, words)), 60), "programs outlive the service"
    load.check_nothing_left(service, [launcher])
    service.start()
    assert service.key == first and "first key" not in service.stdout, "another first key"
    for i in submitted:
        e = service.finished(i, key=reader)
        assert (e["reason"] == "sandbox_error" and e["result"]["reason"] == "sandbox_error"
                and e["result"]["error"]["remedy"]), e


def test_an_idempotency_key_holds_across_a_restart(make_service):
    service = make_service(UNLIMITED)
    headers = {"Idempotency-Key": "the-same-one"}
    first = service.execute("echo $RANDOM$RANDOM", "bash", headers=headers)

    def streamed():
        return [(e["type"], e.get("data"), e.get("result", {}).get("execution_id"))
                for e in service.stream("echo $RANDOM$RANDOM", "bash", headers={"Idempotency-Key": "streamed"})]
    events = streamed()
    assert [kind for kind, _, _ in events] == ["started", "stdout", "result"] and streamed() == events
    service.kill9()
    service.start()
    assert streamed() == events
    again = service.execute("echo $RANDOM$RANDOM", "bash", headers=headers)
    assert (again.status_code, again.headers["Idempotency-Replayed"]) == (200, "true")
    assert (again.json()["execution_id"] == first.json()["execution_id"]
            and again.json()["stdout"] == first.json()["stdout"])
    other = service.execute("echo another", "bash", headers=headers)
    assert other.status_code == 409 and other.json()["error"]["code"] == "conflict"


def test_two_services_do_not_take_each_others_executions_for_orphans(make_service):
    """The second one starts on the same state while the first lives, as in a careless upgrade."""
    first = make_service(UNLIMITED)
    gate = first.gate()
    lives = first.submit(gate.wait + "echo alive", "bash", volumes=gate.volumes)
    assert not helpers.poll(lambda: first.execution(lives)["state"] != "running", 60)
    second = make_service({**UNLIMITED,
                           "sandbox": {"default_risk_level": "low",
                                       "paths": {"state_dir": str(first.state_dir), "log_dir": str(first.log_dir)}}},
                                       start=False)
    try:
        second.start()
    except AssertionError as refused:  # it may refuse to start; then it says why
        assert "state" in str(refused) or "lock" in str(refused) or "another" in str(refused), refused
        second.process.wait()
    gate.open()
    e = first.finished(lives)
    assert e["result"]["reason"] == "completed" and e["result"]["stdout"] == "alive\n", json.dumps(e)


def a_session(service):
    answer = service.request("POST", "/sessions", json={"agent_id": "sitter", "ttl": 600})
    assert answer.status_code == 201, answer.text
    return answer.json()["session_id"]


def change(service, *statements):
    """In the store of a service that is dead. -> how many rows the last one changed"""
    with sqlite3.connect(service.state_dir / "state.db") as db:
        for text, *values in statements:
            changed = db.execute(text, values).rowcount
    db.close()
    return changed


def untold_runs(service):
    with sqlite3.connect(service.state_dir / "state.db") as db:
        found = db.execute("SELECT execution_id, state FROM runs WHERE state <> 1").fetchall()
    db.close()
    return found


def check_one_recovered(service, execution):
    assert service.execution(execution)["state"] == "finished"
    assert load.audited(service, "execution-finished")[execution] == 0
    assert load.audited(service, "execution-recovered")[execution] == 1, "its ends in the audit"
    load.check_audit(service)


def test_no_session_ends_in_the_store_alone_though_the_owner_of_its_run_seems_to_live(make_service):
    """The two tables have an owner each: what is looked up of one may not be seen of the other."""
    service = make_service(UNLIMITED)
    session = a_session(service)
    service.kill9()
    ours = helpers.read("/proc/self/stat").rpartition(")")[2].split()[19]  # field 22: when it was started
    assert change(service, ("UPDATE runs SET owner_pid = ?, owner_start = ? WHERE execution_id = ?", os.getpid(),
                            int(ours), session)) == 1
    service.start()
    check_one_recovered(service, session)
    # when that owner is gone, too, its run is told of no second time
    service.kill9()
    assert change(service, ("UPDATE runs SET owner_start = 1 WHERE execution_id = ? AND state = 0", session)) == 1
    service.start()
    check_one_recovered(service, session)
    assert not untold_runs(service)


def test_an_end_is_told_once_though_who_recovered_it_is_killed_before_the_store_knows(make_service):
    service = make_service(UNLIMITED)
    session = a_session(service)
    service.kill9()
    service.start()
    check_one_recovered(service, session)
    service.kill9()  # as if before store_audited() and before the row's end
    assert change(service, ("UPDATE executions SET state = 1, finished_ms = 0 WHERE id = ?", session),
                  ("UPDATE runs SET state = 2, is_recovered = 1 WHERE execution_id = ?", session)) == 1
    service.start()
    check_one_recovered(service, session)
    assert not untold_runs(service)


def test_all_runs_that_died_are_told_of_before_the_next_service_listens(make_service):
    """More than one call of the store returns."""
    service = make_service(UNLIMITED)
    session = a_session(service)
    service.kill9()
    copies = ("INSERT INTO runs(number, execution_id, agent, level, language, code_hash, started_ms, owner_pid, "
              "owner_start, owner_place) SELECT number - ?, execution_id || '-' || ?, agent, level, "
              "language, code_hash, started_ms, owner_pid, owner_start, owner_place FROM runs WHERE execution_id = ?")
    change(service, ("UPDATE runs SET number = number + 1000 WHERE execution_id = ?", session),
           *[(copies, i, i, session) for i in range(1, 201)])
    service.start()
    assert not untold_runs(service)
    check_one_recovered(service, session)
