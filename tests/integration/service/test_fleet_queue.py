"""What waits for its turn on one node is run by another that has room, once (docs/fleet.md)."""
import collections
import concurrent.futures
import contextlib
import json

import helpers
import pytest
from postgresql import PostgreSQL
from service import error_of, preloaded
from test_fleet_owner import Node, command

LONG = "while :; do sleep 0.05; done"


TURNS = 3


@pytest.fixture(scope="module")
def database():
    with contextlib.ExitStack() as stack:
        p = PostgreSQL()
        stack.callback(p.close)
        yield p


@pytest.fixture(scope="module")
def first(database):
    """A node with a role of its own, that has turns enough."""
    Node.trusted = None
    with Node(database, "a", {}) as a:
        assert command(a, "store", "migrate").returncode == 0
        database.ask("CREATE ROLE b LOGIN")
        assert command(a, "store", "grant", "b").returncode == 0
        a.start()
        yield a


def owner(database, execution):
    return database.ask("SELECT split_part(owner_place, ' ', 3) FROM executions WHERE id = '%s'" % execution)


def requests(database):
    return int(database.ask("SELECT count(*) FROM requests"))


@contextlib.contextmanager
def node(database, first, name, user="sandbox"):
    with Node(database, name, {"user": user, "max_concurrent_executions": TURNS}) as n:
        n.start()
        n.key = first.key
        yield n


def busy(n, count=TURNS):
    """Runs that hold all turns of this node alone: what has volumes lies on its disk."""
    gate = n.gate()
    held = [n.submit(gate.wait, "bash", volumes=gate.volumes, agent_id="holder-%d" % i) for i in range(count)]
    for e in held:
        assert not helpers.poll(lambda e=e: n.execution(e)["state"] != "running", 60)
    return gate, held


def test_what_waits_on_a_full_node_is_taken_by_one_with_room(database, first):
    with node(database, first, "b", "b") as b:
        gate, held = busy(b)
        waiting = b.submit("echo $A-$0 $1", "bash", env={"A": "b"}, args=["x"], agent_id="waiter",
                           headers={"traceparent": "00-%s-%s-01" % (32 * "a", 16 * "b")})
        done = b.finished(waiting)
        assert done["result"]["stdout"].startswith("b-") and done["trace_id"] == 32 * "a", done
        assert owner(database, waiting) == "a"
        assert b.request("GET", "/executions/%s/artifacts" % waiting).status_code == 200, "asked of its new owner"
        gate.open()
        for e in held:
            assert b.finished(e)["result"]["exit_code"] == 0
            assert owner(database, e) == "b"
        assert requests(database) == 0, "code stays there no longer than it waits"


def test_each_of_many_runs_once(database, first):
    with node(database, first, "c") as c:
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            def one(i):
                with c.connection() as session:
                    n = (first, c)[i % 2]
                    return n.submit("echo run-%d" % i, "bash", session=session, agent_id="many-%d" % (i % 7))
            ids = list(pool.map(one, range(40)))
        ends = [first.finished(e) for e in ids]
        assert [e["result"]["stdout"] for e in ends] == ["run-%d\n" % i for i in range(40)]
        assert int(database.ask("SELECT count(*) FROM runs WHERE execution_id IN (%s)"
                                % ", ".join("'%s'" % e for e in ids))) == 40
        assert requests(database) == 0
        owners = collections.Counter(owner(database, e) for e in ids)
        assert set(owners) <= {"a", "c"}, owners


def lose(database, name):
    database.ask("UPDATE nodes SET seen_ms = seen_ms - 30000 WHERE name = '%s'" % name)


def test_what_becomes_of_all_that_a_dead_node_had(database, first):
    """What waited is run by another one; what ran is not, but where its client asked for that. In one test: it takes up
    to a minute until a dead node's runs are taken over."""
    assert command(first, "fleet", "drain", "a").returncode == 0
    with node(database, first, "d") as d:
        assert not helpers.poll(lambda: first.is_ready(), 30)
        again = d.submit(LONG, "bash", agent_id="again", retry="node_lost")
        never = d.submit(LONG, "bash", agent_id="never")
        gate, held = busy(d, TURNS - 2)
        for x in (again, never):
            assert not helpers.poll(lambda x=x: d.execution(x)["state"] != "running", 60)
        waiting = d.submit("echo late", "bash", agent_id="waiter")
        assert first.execution(waiting)["state"] == "queued" and owner(database, waiting) == "d"
        assert requests(database) == 2
        d.kill9()
        assert command(first, "fleet", "resume", "a").returncode == 0
        assert first.finished(waiting)["result"]["stdout"] == "late\n"
        assert owner(database, waiting) == "a"
        lose(database, "d")
        for e in (never, *held):
            error = first.finished(e, patience=150)["result"]["error"]
            assert (error["code"], error["retryable"]) == ("node_lost", True), error
        assert not helpers.poll(lambda: first.execution(again)["state"] != "running" or
                                owner(database, again) != "a", 60)
        assert first.request("DELETE", "/executions/" + again).status_code == 202
        assert first.finished(again)["reason"] == "killed"
        assert requests(database) == 0
        assert int(database.ask("SELECT count(*) FROM runs WHERE execution_id LIKE '%s%%'" % again)) == 2


def test_what_cannot_be_run_again_elsewhere_may_not_ask_for_it(first):
    gate = first.gate()
    for body in ({"volumes": gate.volumes}, {"packages": "x"}):
        answer = first.request("POST", "/executions", json={"language": "bash", "code": "true", "retry": "node_lost",
                                                            **body})
        assert "retry" in error_of(answer, 422, "invalid_value")["message"]
    error_of(first.execute("true", "bash", retry="node_lost"), 422, "invalid_value")
    error_of(first.execute("true", "bash", retry="always"), 422, "invalid_value")


def test_a_key_that_was_revoked_meanwhile_runs_nothing(database, first):
    assert command(first, "fleet", "drain", "a").returncode == 0
    with node(database, first, "f") as f:
        gate, held = busy(f)
        assert not helpers.poll(lambda: first.is_ready(), 30)
        key = f.new_key("run", "passing")
        waiting = f.submit("echo no", "bash", key=key)
        assert command(first, "keys", "revoke", "passing").returncode == 0
        assert command(first, "fleet", "resume", "a").returncode == 0
        done = first.finished(waiting)
        assert done["result"]["stdout"] == "" and "revoked" in done["result"]["error"]["message"], done
        gate.open()
        for e in held:
            f.finished(e)


def test_one_that_was_taken_and_that_nothing_runs_waits_again(database, first):
    """The connection was lost between taking it and the answer; or a stolen node wrote this."""
    assert command(first, "fleet", "drain", "a").returncode == 0
    with node(database, first, "h") as h:
        gate, held = busy(h)
        assert not helpers.poll(lambda: first.is_ready(), 30)
        waiting = h.submit("echo mine", "bash", agent_id="waiter")
        database.ask("UPDATE requests SET is_taken = 1")
        gate.open()
        done = h.finished(waiting, patience=60)
        assert done["result"]["stdout"] == "mine\n", done
        assert int(database.ask("SELECT count(*) FROM runs WHERE execution_id = '%s'" % waiting)) == 1
        for e in held:
            h.finished(e)
        assert requests(database) == 0
    assert command(first, "fleet", "resume", "a").returncode == 0


def test_a_node_of_its_own_role_changes_no_request_of_another(database, first):
    assert command(first, "fleet", "drain", "a").returncode == 0
    with node(database, first, "g") as g:
        gate, held = busy(g)
        assert not helpers.poll(lambda: first.is_ready(), 30)
        waiting = g.submit("echo mine", "bash", agent_id="waiter")
        for sql in ("UPDATE requests SET body = 'x'", "DELETE FROM requests",
                    "UPDATE executions SET key_id = 'key-000000000000' WHERE id = '%s'" % waiting,
                    "INSERT INTO requests(execution, body, retries) SELECT number, 'x', 0 FROM executions "
                    "WHERE id = '%s'"
                    % held[0]):
            said = database.run("psql", "-h", database.dir, "-U", "b", "-d", "postgres", "-Atqc", sql)
            assert said.returncode or requests(database) == 1, (sql, said.stdout)
        assert database.ask("SELECT key_id FROM executions WHERE id = '%s'" % waiting) != "key-000000000000"
        gate.open()
        assert g.finished(waiting)["result"]["stdout"] == "mine\n"
    assert command(first, "fleet", "resume", "a").returncode == 0


def test_a_node_that_is_cut_off_ends_what_others_would_run_once_more(database, first):
    """Before these may take it for dead, 30 s after it was heard of last. Other runs go on."""
    assert not helpers.poll(lambda: not first.is_ready(), 60)  # resumed by the test before: it knows within a second
    again = first.submit(LONG, "bash", agent_id="again", retry="node_lost")
    never = first.submit(LONG, "bash", agent_id="never")
    for x in (again, never):
        assert not helpers.poll(lambda x=x: first.execution(x)["state"] != "running", 60)
    database.stop()
    try:
        first.wait_log("execution %s: ended, since other nodes" % again)
        assert never not in first.logs.rsplit("ended, since", 1)[1]
    finally:
        database.start()
    assert not helpers.poll(lambda: not first.is_ready(), 60)
    assert first.finished(again)["reason"] == "killed"
    assert first.execution(never)["state"] == "running"
    assert first.request("DELETE", "/executions/" + never).status_code == 202
    assert first.finished(never)["reason"] == "killed"


WRONG_CLOCK = r"""
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t c, struct timespec *t)
{
    int e = (int)syscall(SYS_clock_gettime, c, t);
    if (e == 0 && c == CLOCK_REALTIME)
        t->tv_sec += 90;
    return e;
}
"""


def test_a_node_with_a_wrong_clock_takes_no_runs_and_says_why(database, first):
    with preloaded(WRONG_CLOCK) as env, Node(database, "w", {}) as w:
        w.env.update(env)
        w.start(wait=False)
        w.wait_log(r"clock is \d{5} ms off the database's: it takes no new runs")
        w.url, w.key = "http://127.0.0.1:%d" % w.port, first.key
        refused = w.execute("true", "bash")
        assert refused.status_code == 503 and "this node's clock is" in refused.text, refused.text
        assert int(refused.headers["Retry-After"]) > 0
        assert "clock" in w.outside("GET", "/readyz").json()["checks"]["intake"]
        told = {n["node"]: n["clock_off_ms"] for n in json.loads(command(first, "fleet", "status", "--json").stdout)}
        assert told["w"] > 85000 and told["a"] < 5000, told
