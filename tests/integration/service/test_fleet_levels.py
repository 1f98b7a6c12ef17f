"""fleet.levels: a run is passed on to a node that takes its level, and never runs on one that does not
(docs/fleet.md)."""
import contextlib
import http.client
import json
import subprocess
import time

import helpers
import pytest
from postgresql import PostgreSQL
from service import BASE, error_of
from test_fleet_owner import HOP, Node, command
from test_fleet_queue import LONG

MEDIUM = {"agent_id": "tame", "risk_level": "medium"}
TURNS = 3
HIGH = {"agent_id": "wild", "risk_level": "high"}


@pytest.fixture(scope="module")
def nodes():
    """near takes low and medium, far high only."""
    Node.trusted = None
    with contextlib.ExitStack() as stack:
        database = PostgreSQL()
        stack.callback(database.close)
        near, far = (stack.enter_context(Node(database, name, {"user": user, "levels": levels, **more}))
                     for name, user, levels, more in (("near", "sandbox", ["low", "medium"], {}),
                                                      ("far", "far", ["high"],
                                                       {"max_concurrent_executions": TURNS})))
        assert command(near, "store", "migrate").returncode == 0
        database.ask("CREATE ROLE far LOGIN")
        assert command(near, "store", "grant", "far").returncode == 0
        near.start()
        far.start()
        far.key = near.key
        near.database = database
        yield near, far


def owner(near, execution):
    return near.database.ask("SELECT split_part(owner_place, ' ', 3) FROM executions WHERE id = '%s'" % execution)


def count(near, table, agent):
    of = {"executions": "executions WHERE agent_id",
          "runs": "runs r JOIN agents a ON a.number = r.agent WHERE a.id"}[table]
    return int(near.database.ask("SELECT count(*) FROM %s = '%s'" % (of, agent)))


def wait_running(node, agent):
    """-> the execution of this agent that runs"""
    def found():
        rows = node.request("GET", "/executions", params={"agent_id": agent, "state": "running"}).json()["executions"]
        return rows[0]["execution_id"] if rows else None
    assert not helpers.poll(lambda: not found(), 60)
    return found()


def test_a_run_goes_to_the_node_of_its_level_and_is_booked_once(nodes):
    near, far = nodes
    for asked, body, has in ((near, HIGH, "far"), (far, HIGH, "far"), (near, MEDIUM, "near"), (far, MEDIUM, "near")):
        said = asked.execute("print(6 * 7)", "python", **body)
        assert said.status_code == 200 and said.json()["stdout"] == "42\n", said.text
        assert said.json()["risk_level"] == body["risk_level"]
        assert owner(near, said.json()["execution_id"]) == has
    assert count(near, "executions", "wild") == count(near, "runs", "wild") == 2
    for node in nodes:
        assert "fleet_levels" in (node.log_dir / "audit.jsonl").read_text(), "each says what it passed on"


def test_the_level_is_the_one_that_trust_and_scan_decide(nodes):
    near, far = nodes
    admin = near.new_key("admin")
    assert near.request("PATCH", "/agents/tame", key=admin, json={"trust": 0.0, "reason": "test"}).status_code == 200
    said = near.execute("print(1)", "python", **MEDIUM).json()
    assert said["risk_level"] == "high" and owner(near, said["execution_id"]) == "far", said
    assert near.request("PATCH", "/agents/tame", key=admin, json={"trust": 0.7, "reason": "test"}).status_code == 200


def test_a_stream_comes_as_it_is_written(nodes):
    near, far = nodes
    events = list(near.stream("print('one')\nprint('two')", "python", **HIGH))
    assert "".join(e["data"] for e in events if e["type"] == "stdout") == "one\ntwo\n", events
    assert events[-1]["type"] == "result" and events[-1]["result"]["risk_level"] == "high"


def begin(node, **body):
    """-> the connection of a client that waits"""
    client = http.client.HTTPConnection("127.0.0.1", node.port, timeout=120)
    client.request("POST", BASE + "/execute", json.dumps(body), {"Authorization": "Bearer " + node.key,
                                                                 "Content-Type": "application/json"})
    return client


@pytest.mark.parametrize("how", ["leave", "delete"])
def test_a_kill_goes_through(nodes, how):
    near, far = nodes
    agent = "killed-by-" + how
    client = begin(near, language="bash", code=LONG, agent_id=agent, risk_level="high")
    running = wait_running(near, agent)
    assert owner(near, running) == "far"
    if how == "delete":
        assert near.request("DELETE", "/executions/" + running).status_code == 202
        said = client.getresponse()
        assert said.status == 200 and json.loads(said.read())["reason"] == "killed"
    client.close()
    assert near.finished(running)["reason"] == "killed"
    assert not helpers.poll(lambda: near.outside("GET", "/readyz").status_code != 200, 30)


def test_an_asynchronous_one_waits_for_a_node_of_its_level(nodes):
    near, far = nodes
    ids = [(n, body, n.submit("print('later')", "python", **body)) for n in nodes for body in (HIGH, MEDIUM)]
    for n, body, e in ids:
        done = n.finished(e)
        assert done["result"]["stdout"] == "later\n", done
        assert owner(near, e) == ("far" if body is HIGH else "near")
    for agent in ("wild", "tame"):
        assert count(near, "executions", agent) == count(near, "runs", agent)
    assert near.database.ask("SELECT count(*) FROM requests") == "0", "code stays there no longer than it waits"


def test_one_that_waits_for_its_level_can_be_ended_and_is_not_told_as_ended_before(nodes):
    """It is in no node's memory: far has no turn for it."""
    near, far = nodes
    held = [far.submit(LONG, "bash", agent_id="holder-%d" % i, risk_level="high") for i in range(TURNS)]
    for e in held:
        assert not helpers.poll(lambda e=e: far.execution(e)["state"] != "running", 60)
    waiting, other = (near.submit("echo %d" % i, "bash", **HIGH) for i in range(2))
    assert not helpers.poll(lambda: near.database.ask("SELECT count(*) FROM requests WHERE level = 2") != "2", 60)
    runs = count(near, "runs", "wild")
    assert near.execution(waiting)["state"] == "queued"
    error_of(near.request("GET", "/executions/%s/events" % waiting), 503, "unavailable")
    ended = near.request("DELETE", "/executions/" + waiting)
    assert ended.status_code == 202 and ended.json()["state"] == "queued", ended.text
    assert near.finished(waiting)["reason"] == "killed"
    assert near.request("DELETE", "/executions/" + waiting).status_code == 409
    for e in held:
        assert far.request("DELETE", "/executions/" + e).status_code == 202
    assert near.finished(other)["result"]["stdout"] == "1\n"
    assert count(near, "runs", "wild") == runs + 1
    assert near.database.ask("SELECT count(*) FROM requests") == "0"


def test_the_key_goes_along_whatever_a_client_says_of_its_connection(nodes):
    """Without it the other node takes the request for one of its own machine, whose callers are not bound by a key."""
    near, far = nodes
    said = near.execute("print(1)", "python", headers={"Connection": "close, authorization"}, **HIGH)
    assert said.status_code == 200, said.text
    key = near.database.ask("SELECT key_id FROM executions WHERE id = '%s'" % said.json()["execution_id"])
    assert key.startswith("key-"), key


def test_a_session_is_opened_where_its_level_is_taken(nodes):
    near, far = nodes
    made = near.request("POST", "/sessions", json=HIGH)
    assert made.status_code == 201, made.text
    session = made.json()["session_id"]
    assert owner(near, session) == "far"
    where = "/sessions/%s/contexts" % session
    context = near.request("POST", where, json={"language": "python"}).json()["context_id"]
    cell = near.request("POST", "%s/%s/execute" % (where, context), json={"code": "print('on')"})
    assert cell.status_code == 200 and cell.json()["stdout"] == "on\n", cell.text
    assert near.request("DELETE", "/sessions/" + session).status_code == 202


def test_what_was_passed_on_is_not_passed_on_again(nodes):
    near, far = nodes
    refused = near.execute("print(1)", "python", headers=HOP, **HIGH)
    assert "fleet.levels" in json.dumps(error_of(refused, 503, "unavailable"))


def test_nodes_say_which_levels_they_take(nodes):
    near, far = nodes
    told = {n["node"]: n for n in json.loads(command(near, "fleet", "status", "--json").stdout)}
    assert (told["near"]["levels"], told["far"]["levels"]) == (["low", "medium"], ["high"])
    assert "takes high" in command(near, "fleet", "status").stdout


def differing(node):
    key = node.new_key("read", "read-%d" % time.monotonic_ns())
    return [x for x in node.outside("GET", "/metrics", key=key).text.splitlines()
            if x.startswith("sandbox_agent_fleet_policies_differ ")]


def test_nodes_whose_policies_differ_are_told(nodes):
    near, far = nodes
    assert not helpers.poll(lambda: differing(near) != ["sandbox_agent_fleet_policies_differ 0"], 60)
    config = far.config_path.read_text()
    other = config.replace("sandbox:\n", "sandbox:\n  resources: {medium_risk: {memory: 200m}}\n", 1)
    assert other != config
    far.config_path.write_text(other)
    far.hup()
    for node in nodes:
        assert not helpers.poll(lambda node=node: differing(node) != ["sandbox_agent_fleet_policies_differ 1"], 60)
        node.wait_log("policies of 1 other node differ")
    told = {n["node"]: n["policy"] for n in json.loads(command(near, "fleet", "status", "--json").stdout)}
    parts = [p.split("-") for p in told.values()]
    assert [a == b for a, b in zip(*parts)] == [True, False, True], told
    assert "policies differ" in command(near, "fleet", "status").stdout
    far.config_path.write_text(config)
    far.hup()
    assert not helpers.poll(lambda: differing(near) != ["sandbox_agent_fleet_policies_differ 0"], 60)
    assert "policies differ" not in command(near, "fleet", "status").stdout


def test_a_run_whose_node_dies_is_not_answered_as_if_nothing_ran(nodes):
    """Clients send again by themselves what is answered with 503."""
    near, far = nodes
    client = begin(near, language="bash", code=LONG, agent_id="lost", risk_level="high")
    wait_running(near, "lost")
    far.kill9()
    said = client.getresponse()
    assert said.status == 502 and not said.getheader("Retry-After"), said.status
    assert json.loads(said.read())["error"]["details"]["rule"] == "other_node"
    client.close()
    far.start()
    assert count(near, "runs", "lost") == 1


def test_where_the_nodes_of_a_level_take_nothing_that_waits_it_ends(nodes):
    near, far = nodes
    far.stop()
    config = far.config_path.read_text()
    far.config_path.write_text(config.replace("fleet:\n", "fleet:\n  share_queue: false\n", 1))
    far.start()
    late = near.finished(near.submit("print(1)", "python", **HIGH), patience=60)
    assert late["reason"] == "sandbox_error" and "does not take it" in late["result"]["error"]["message"], late
    assert near.run("print(2)", "python", **HIGH)["stdout"] == "2\n"
    far.stop()
    far.config_path.write_text(config)
    far.start()


def test_where_no_node_takes_the_level_it_is_refused_and_runs_nowhere(nodes):
    """Last: far is gone afterwards."""
    near, far = nodes
    before = count(near, "runs", "wild")
    assert command(near, "fleet", "drain", "far").returncode == 0
    refused = near.execute("print(1)", "python", **HIGH)
    assert int(refused.headers["Retry-After"]) > 0
    message = json.dumps(error_of(refused, 503, "unavailable"))
    assert "fleet.levels" in message and "high" in message
    late = near.finished(near.submit("print(1)", "python", **HIGH))
    assert late["reason"] == "sandbox_error" and "does not take it" in late["result"]["error"]["message"], late
    alone = subprocess.run([helpers.AGENT, "run", "--config", near.config_path, "--risk-level", "high", "--language",
                            "python", "-c", "print(1)"], env=near.env, capture_output=True, text=True, timeout=60)
    assert alone.returncode == 125 and "does not take it" in alone.stderr and not alone.stdout, alone
    assert count(near, "runs", "wild") == before
    assert near.run("print(2)", "python", **MEDIUM)["stdout"] == "2\n"
