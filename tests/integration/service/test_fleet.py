"""Two services on one PostgreSQL: what holds on one holds on the other, and what happens while it is away."""
import collections
import concurrent.futures
import contextlib
import json
import os
import re
import signal
import subprocess

import helpers
import pytest
from postgresql import PostgreSQL
from service import Service

LIMIT = 10
LEVELS = ("low_risk", "medium_risk", "high_risk")
LIMITS = {"rate_limiting": {"per_agent": {level: {"max_executions_per_hour": LIMIT} for level in LEVELS}}}


@pytest.fixture(scope="module")
def database():
    with contextlib.ExitStack() as stack:
        p = PostgreSQL()
        stack.callback(p.close)
        yield p


def command(service, *words):
    argv = [helpers.AGENT, *words, "--config", service.config_path]
    return subprocess.run(argv, env=service.env, capture_output=True, text=True, timeout=60)


@pytest.fixture(scope="module")
def nodes(database):
    with contextlib.ExitStack() as stack:
        a, b = (stack.enter_context(Service({**LIMITS, **database.config(name, user)}, start=False))
                for name, user in (("a", "sandbox"), ("b", "b")))
        early = subprocess.run(a.words(), env=a.env, capture_output=True, text=True, timeout=60)
        assert early.returncode and "sandbox-agent store migrate" in early.stderr, early.stderr
        made = command(a, "store", "migrate")
        assert made.returncode == 0, made.stderr
        database.ask("CREATE ROLE b LOGIN")  # a node with a role of its own
        granted = command(a, "store", "grant", "b")
        assert granted.returncode == 0, granted.stderr
        a.start()
        b.env["PGHOSTADDR"] = "127.0.0.1"  # libpq's own variables decide nothing
        b.start()
        assert a.key and not b.key, "the second one finds the key of the first"
        b.key = a.key
        yield a, b


def test_a_ban_on_one_node_holds_on_the_other_with_the_next_request(nodes):
    a, b = nodes
    assert b.run("echo here", "bash", agent_id="mallory")["stdout"] == "here\n"
    admin = a.new_key("admin")
    said = a.request("POST", "/agents/mallory/ban", key=admin, json={"reason": "test"})
    assert said.status_code == 200, said.text
    refused = b.execute("echo again", "bash", agent_id="mallory")
    assert refused.status_code == 403 and "banned" in refused.text, refused.text
    assert b.run("echo well", "bash", agent_id="honest")["stdout"] == "well\n"
    shown = command(b, "agents", "show", "mallory")
    assert shown.returncode == 0 and "banned" in shown.stdout, shown.stdout + shown.stderr
    released = a.request("POST", "/agents/mallory/release", key=admin, json={"reason": "test"})
    assert released.status_code == 200, released.text
    assert b.run("echo again", "bash", agent_id="mallory")["stdout"] == "again\n"


def test_a_key_that_is_revoked_on_one_node_opens_nothing_on_the_other(nodes):
    a, b = nodes
    key = a.new_key("run", "short-lived")
    assert b.execute("echo 1", "bash", key=key).status_code == 200
    gone = command(a, "keys", "revoke", "short-lived")
    assert gone.returncode == 0, gone.stderr
    assert b.execute("echo 2", "bash", key=key).status_code == 401


@pytest.mark.parametrize("what", ["runs", "refused", "invalid", "again"])
def test_a_key_is_asked_for_by_the_booking_and_revoked_it_gets_no_other_answer(nodes, what):
    """The node remembers what keys there were half a second ago: it tells no one anything by that."""
    a, b = nodes
    agent, name = "of-%s" % what, "short-%s" % what
    key, admin = a.new_key("run", name), a.new_key("admin", "admin-%s" % what)
    which = next(k["id"] for k in a.request("GET", "/keys", key=admin).json()["keys"] if k["name"] == name)
    more = {"headers": {"Idempotency-Key": "k-" + what}} if what == "again" else {}
    for _ in range(3):  # the last one is booked from a lease
        assert b.execute("echo 1", "bash", key=key, agent_id=agent, **more).status_code == 200
    if what == "refused":
        ban = a.request("POST", "/agents/%s/ban" % agent, key=admin, json={"reason": "test"})
        assert ban.status_code == 200, ban.text
    assert a.request("DELETE", "/keys/" + which, key=admin).status_code == 200
    fields = {"nothing": 1} if what == "invalid" else {}
    said = b.execute("echo 2", "bash", key=key, agent_id=agent, **fields, **more)
    assert said.status_code == 401 and said.json()["error"]["code"] == "unauthenticated", said.text
    shown = a.request("GET", "/agents/" + agent, key=admin).json()
    assert shown["runs"] == (1 if what == "again" else 3) and not shown["refusals"], shown
    if what != "refused":
        assert b.run("echo 3", "bash", agent_id=agent)["stdout"] == "3\n"


def test_exactly_the_limit_is_admitted_by_both_nodes_together(nodes):
    def client(i):
        node, count = nodes[i % 2], collections.Counter()
        with node.connection() as session:
            for _ in range(LIMIT):
                count[node.execute("true", "bash", session=session, agent_id="busy").status_code] += 1
        return count
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        total = sum(pool.map(client, range(4)), collections.Counter())
    assert total == {200: LIMIT, 429: 3 * LIMIT}


def test_another_service_cannot_take_a_node_s_name(nodes, database):
    with Service(database.config("a"), start=False) as c:
        said = subprocess.run(c.words(), env=c.env, capture_output=True, text=True, timeout=60)
        assert said.returncode == 75 and "another service is node a" in said.stderr, said.stderr


def test_a_drained_node_takes_no_new_runs_until_it_is_resumed(nodes):
    a, b = nodes
    session = a.request("POST", "/sessions", json={"agent_id": "calm"}).json()["session_id"]
    assert command(b, "fleet", "drain", "a").returncode != 0, "a node's role writes no other's row"
    drained = command(a, "fleet", "drain", "a")
    assert drained.returncode == 0, drained.stderr
    assert not helpers.poll(a.is_ready, 30)
    refused = a.execute("true", "bash")
    assert refused.status_code == 503 and "drained" in refused.text and int(refused.headers["Retry-After"]) > 0
    assert "drained" in a.outside("GET", "/readyz").json()["checks"]["intake"]
    going_on = a.request("POST", "/sessions/%s/execute" % session, json={"argv": ["echo", "on"]})
    assert going_on.status_code == 200 and going_on.json()["stdout"] == "on\n", going_on.text
    assert b.run("echo here", "bash")["stdout"] == "here\n"
    told = {n["node"]: n for n in json.loads(command(a, "fleet", "status", "--json").stdout)}
    assert (told["a"]["state"], told["b"]["state"], told["a"]["drained"]) == ("drained", "in use", True)
    asked = b.request("GET", "/nodes").json()  # what the page shows
    assert asked["node"] == "b" and {n["node"]: (n["state"], n["policy"]) for n in asked["nodes"]} == {
        name: (n["state"], n["policy"]) for name, n in told.items()}
    assert command(a, "fleet", "resume", "a").returncode == 0
    assert not helpers.poll(lambda: not a.is_ready(), 30)
    assert a.run("echo again", "bash")["stdout"] == "again\n"
    wrong = command(a, "fleet", "drain", "nowhere")
    assert wrong.returncode == 2 and "no node nowhere" in wrong.stderr, wrong.stderr


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["in-order", "crash"])
def test_without_the_database_requests_are_refused_for_a_while_and_nothing_has_to_be_done(nodes, database, how):
    a, b = nodes
    assert a.run("echo before", "bash")["stdout"] == "before\n"
    database.stop(how)
    try:
        refused = a.execute("echo away", "bash")
        assert refused.status_code == 503 and int(refused.headers["Retry-After"]) > 0, refused.text
        assert "PostgreSQL at" in refused.text and "remedy" in refused.text
        ready = a.outside("GET", "/readyz")
        assert ready.status_code == 503 and "PostgreSQL at" in ready.text, ready.text
    finally:
        database.start()
    for node in (a, b):
        assert not helpers.poll(lambda node=node: not node.is_ready(), 60)
        assert node.run("echo after", "bash")["stdout"] == "after\n"


def test_a_node_that_starts_without_the_database_waits_and_ends_what_ran_before(nodes, database):
    a, b = nodes
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        lost = pool.submit(a.execute, "sleep 60", "bash", agent_id="left")
        about = "executions WHERE agent_id = 'left'"
        assert not helpers.poll(lambda: database.ask("SELECT count(*) FROM " + about) != "1", 30)
        database.stop()
        try:
            a.kill9()
            assert lost.exception(60)
            a.start(wait=False)
            a.wait_log("started without the store, and waits for it: .*PostgreSQL at")
            listening = re.compile(r"listening on (http://[^/\s]+)")
            assert not helpers.poll(lambda: not listening.search(a.stdout), 30), a.logs
            a.url = listening.search(a.stdout).group(1)
            ready = a.outside("GET", "/readyz")
            assert ready.status_code == 503 and "PostgreSQL at" in ready.json()["checks"]["store"], ready.text
            assert ready.json()["checks"]["launcher"] == "ok"
            refused = a.execute("echo away", "bash")
            assert refused.status_code == 503 and int(refused.headers["Retry-After"]) > 0, refused.text
        finally:
            database.start()
    assert not helpers.poll(lambda: not a.is_ready(), 60), a.logs[-3000:]
    assert not helpers.poll(lambda: database.ask("SELECT state FROM " + about) != "2", 60), a.logs[-3000:]
    id_ = database.ask("SELECT id FROM " + about)
    kept = b.request("GET", "/executions/" + id_).json()
    assert kept["result"]["reason"] == "sandbox_error" and kept["result"]["error"]["code"] == "node_lost", kept
    assert "recovered" in command(a, "audit", "search", "--execution", id_, "--json").stdout
    assert a.run("echo after", "bash")["stdout"] == "after\n"


@pytest.mark.parametrize("dies", [False, True], ids=["lives", "is-killed"])
def test_a_run_that_ends_while_the_database_is_away_is_booked_once_when_it_is_back(nodes, database, dies):
    """Its end lies on the node's disk meanwhile, and its client has its result."""
    a, _ = nodes
    agent, late = "late-%d" % dies, a.state_dir / "late"
    about = "runs r JOIN agents a ON a.number = r.agent WHERE a.id = '%s'" % agent
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        answer = pool.submit(a.execute, "sleep 2; echo done", "bash", agent_id=agent)
        assert not helpers.poll(lambda: database.ask("SELECT count(*) FROM " + about) != "1", 30)
        database.stop()  # in order: a crash may forget the booking
        try:
            answer = answer.result(60)
            assert answer.status_code == 200 and answer.json()["stdout"] == "done\n", answer.text
            assert answer.json()["trust"] is None and "told of this end later" in answer.text, answer.text
            kept_files = {p: p.read_bytes() for p in late.iterdir()}
            assert sorted(p.suffix for p in kept_files) == [".finish", ".settle"], kept_files.keys()
            if dies:
                a.kill9()
        finally:
            database.start()
    if dies:
        a.start()
    assert not helpers.poll(lambda: any(late.iterdir()), 60), a.logs[-3000:]
    if dies:  # once more, as if it had died between booking them and removing them
        a.stop()
        for path, text in kept_files.items():
            path.write_bytes(text)
            os.chown(path, late.stat().st_uid, late.stat().st_gid)
        os.mkfifo(late / "pipe.settle")  # what is no end of a run keeps nothing waiting: put aside
        (late / "link.settle").symlink_to("/etc/hostname")
        (late / "empty.finish").touch()
        a.start()
        aside = {"pipe.settle.bad", "link.settle.bad", "empty.finish.bad"}
        assert not helpers.poll(lambda: {p.name for p in late.iterdir()} != aside, 60), a.logs[-3000:]
    name = answer.headers["X-Execution-Id"]
    assert database.ask("SELECT r.state, r.reason, r.is_recovered, a.runs, a.successes FROM " + about) == "1|0|0|1|1"
    assert database.ask("SELECT sum(m.runs) FROM meter m JOIN agents a ON a.number = m.agent WHERE a.id = '%s'" %
                        agent) == "1"
    kept = a.request("GET", "/executions/" + name).json()
    assert kept["state"] == "finished" and kept["result"]["stdout"] == "done\n", kept
    lines = command(a, "audit", "search", "--execution", name, "--json").stdout.splitlines()
    told = [line for line in lines if "recovered" in line]
    assert lines and not told, told
