"""kill -9 of the service in the middle of a load: whatever was accepted is accounted for by the next one."""
import json

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
