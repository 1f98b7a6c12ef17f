"""What runs took: the meter's sums are those of the results, whoever asks and whatever was killed meanwhile."""
import concurrent.futures
import csv
import io
import json
from decimal import Decimal

import helpers
import pytest
from service import error_of

AMOUNTS = ("cpu_ms", "memory_mib_seconds", "bytes_in", "bytes_out")
CODE = "x = bytearray(%d << 20)\nfor i in range(0, len(x), 4096): x[i] = 1\nfor i in range(%d): pass\n"


def exact(text):
    return json.loads(text, parse_float=Decimal)


def usage(service, key=None, **params):
    answer = service.request("GET", "/usage", params=params, **({"key": key} if key else {}))
    assert answer.status_code == 200, answer.text
    return exact(answer.text)["rows"]


def sums(results):
    return {name: sum(Decimal(r[name]) for r in results) for name in AMOUNTS}


def amounts(row):
    return {name: Decimal(row[name]) for name in AMOUNTS}


@pytest.fixture(scope="module")
def ran(service):
    """Runs of two keys and three agents. -> {key: token}, {(key, agent): results}"""
    keys = {name: service.new_key("run", name) for name in ("one", "two")}
    keys["read"] = service.new_key("read", "reader")
    results = {}
    for key, agent, mib, loops in (("one", "a", 1, 10), ("one", "a", 20, 300000), ("one", "b", 3, 10),
                                   ("two", "a", 5, 10), ("two", "c", 2, 10)):
        answer = service.execute(CODE % (mib, loops), key=keys[key], agent_id=agent)
        assert answer.status_code == 200, answer.text
        r = exact(answer.text)
        assert r["cpu_ms"] > 0 and r["memory_mib_seconds"] > 0 and (r["bytes_in"], r["bytes_out"]) == (0, 0), r
        results.setdefault((key, agent), []).append(r)
    return keys, results


def of(results, key=None, agent=None):
    return [r for (k, a), list_ in results.items() for r in list_ if key in (None, k) and agent in (None, a)]


def test_the_meter_is_the_sum_of_the_results(service, ran):
    keys, results = ran
    whole, = usage(service, by="all")
    assert amounts(whole) == sums(of(results)) and (whole["runs"], whole["unmeasured"], whole["from"]) == (5, 0, None)
    for agent in "abc":
        rows = [r for r in usage(service, by="agent") if r["agent_id"] == agent]
        assert len(rows) == 1 and amounts(rows[0]) == sums(of(results, agent=agent)) and rows[0]["key_id"] is None
    ids = {k["name"]: k["id"] for k in service.request("GET", "/keys").json()["keys"]}
    both = {(r["agent_id"], r["key_id"]): r for r in usage(service, by="key,agent")}
    assert {(a, ids[k]) for k, a in results} == set(both)
    for (key, agent), list_ in results.items():
        assert amounts(both[agent, ids[key]]) == sums(list_) and both[agent, ids[key]]["runs"] == len(list_)
    for row in usage(service, by="hour"):
        assert row["from"].endswith(":00:00Z")
    assert sum(r["runs"] for r in usage(service, by="agent,key,hour")) == sum(r["runs"] for r in usage(service)) == 5
    assert usage(service, agent_id="nobody") == [] and usage(service, since="2000-01-01", until="2000-02-01") == []


def test_a_key_sees_what_it_used_itself_and_readers_see_all(service, ran):
    keys, results = ran
    ids = {k["name"]: k["id"] for k in service.request("GET", "/keys").json()["keys"]}
    for name in ("one", "two"):
        row, = usage(service, key=keys[name], by="key")
        assert row["key_id"] == ids[name] and amounts(row) == sums(of(results, key=name))
    assert usage(service, key=keys["two"], agent_id="b") == []
    other = service.request("GET", "/usage", key=keys["two"], params={"key_id": ids["one"]})
    error_of(other, 403, "forbidden")
    assert usage(service, key=keys["read"], by="all") == usage(service, by="all")


@pytest.mark.parametrize("params", [{"by": "agent,agent"}, {"by": "week"}, {"by": ""}, {"by": "day,hour"},
                                    {"format": "xml"}, {"since": "never"}, {"agent_id": "a\n"}, {"key_id": "k" * 200}])
def test_words_that_are_not_accepted_are_named(service, params):
    answer = error_of(service.request("GET", "/usage", params=params), 422, "invalid_value")
    assert list(params)[0] in answer["message"], answer


def test_csv_and_the_command_line_say_the_same(service, ran):
    rows = usage(service, by="agent,day")
    answer = service.request("GET", "/usage", params={"by": "agent,day", "format": "csv"})
    assert answer.headers["Content-Type"].startswith("text/csv")
    table = list(csv.DictReader(io.StringIO(answer.text)))
    numbers = (*AMOUNTS, "runs", "unmeasured")
    assert [{**r, **{k: Decimal(r[k]) for k in numbers}} for r in table] == [{**r, "key_id": ""} for r in rows]
    box = helpers.Box()
    try:
        words = ["usage", "--by", "agent,day", "--config", service.config_path]
        done = box.agent(*words, "--format", "json", env=service.env)
        assert done.code == 0 and exact(done.text)["rows"] == rows, done
        assert box.agent(*words, "--format", "csv", env=service.env).text == answer.text
        shown = box.agent(*words, env=service.env).text
        assert len(shown.splitlines()) == len(rows) + 1 and " a\n" in shown, shown
        box.agent("usage", "--by", "week").refused(2, "--by", "week", "agent, key")
        box.agent("usage", "--format", "xml").refused(2, "--format xml", "csv")
    finally:
        box.close()


def test_what_was_settled_outlives_kill_9_and_a_run_without_an_end_is_said_to_be_unmeasured(make_service):
    service = make_service({"rate_limiting": {"enabled": False}})
    done = [service.run("print(1)", agent_id="a") for _ in range(2)]
    cut = service.submit("sleep 600", "bash", agent_id="a")
    assert not helpers.poll(lambda: service.execution(cut)["state"] != "running", 60)
    before, = usage(service, by="agent")
    assert before["runs"] == 2, "a run counts when it is over"
    service.kill9()
    service.start()
    assert service.finished(cut)["reason"] == "sandbox_error"
    assert not helpers.poll(lambda: usage(service, by="agent")[0]["unmeasured"] != 1, 60)
    after, = usage(service, by="agent")
    assert after["runs"] == 3 and {k: after[k] for k in AMOUNTS} == {k: before[k] for k in AMOUNTS}
    assert amounts(after) == sums(exact(json.dumps(done)))


def test_a_budget_that_is_used_up_refuses_with_its_name_and_when_it_begins_anew(make_service):
    """And whoever is below it runs: another agent, and the same until then."""
    per_agent = {"max_executions_per_day": 6}
    service = make_service({"rate_limiting": {"budgets": {"per_agent": per_agent}},
                            "agixt": {"trust": {"enabled": False}}})
    with concurrent.futures.ThreadPoolExecutor(8) as crowd:
        answers = list(crowd.map(lambda i: service.execute("print(%d)" % i, agent_id="a", session=service.connection()),
                                 range(16)))
    assert sorted(a.status_code for a in answers) == [200] * 6 + [429] * 10, [a.text for a in answers]
    for a in answers:
        if a.status_code == 429:
            error = error_of(a, 429, "rate_limited")
            assert "6 of 6" in error["message"], error
            assert error["details"]["rule"] == "budgets.per_agent.max_executions_per_day", error
            assert "rate_limiting.budgets.per_agent.max_executions_per_day" in error["details"]["remedy"]
            assert 1 <= int(a.headers["Retry-After"]) <= 86400
    assert service.run("print(1)", agent_id="b")["reason"] == "completed"
    assert [r["runs"] for r in usage(service, by="agent")] == [6, 1]
    alerts = service.request("GET", "/audit", params={"action": "alert-raised", "agent": "a"})
    assert "budgets.per_agent.max_executions_per_day" in alerts.text, alerts.text
    per_agent.update(max_executions_per_day=0, max_cpu_time_per_day="1ms")
    service.configure({"rate_limiting": {"budgets": {"per_agent": per_agent}}})
    service.stop()
    service.start()
    refused = error_of(service.execute("print(1)", agent_id="a"), 429, "rate_limited")
    assert refused["details"]["rule"] == "budgets.per_agent.max_cpu_time_per_day", refused
    assert service.run("print(1)", agent_id="c")["reason"] == "completed"
