"""deploy/fleet/haproxy.cfg: one address for two services that share a PostgreSQL, also while they end, die and come."""
import collections
import contextlib
import itertools
import signal
import threading

import helpers
import pytest
from haproxy import SHIPPED, Door, HAProxy, free_port
from postgresql import PostgreSQL
from service import Service
from test_fleet import command

NODES = ("north", "south")
OWN = {"endpoints": {"api": {"linger": "3s"}}, "rate_limiting": {"enabled": False}}


@pytest.fixture(scope="module")
def fleet():
    with contextlib.ExitStack() as stack:
        database = PostgreSQL()
        stack.callback(database.close)
        nodes = {name: stack.enter_context(Service({**OWN, **database.config(name)},
                                                   ["--listen", "127.0.0.1:%d" % free_port()], start=False))
                 for name in NODES}
        made = command(nodes["north"], "store", "migrate")
        assert made.returncode == 0, made.stderr
        for node in nodes.values():
            node.start()
        proxy = HAProxy({name: int(node.url.rpartition(":")[2]) for name, node in nodes.items()})
        stack.callback(proxy.close)
        door = Door(proxy, nodes["north"].key)
        for node in nodes.values():
            node.key = door.key
        assert not helpers.poll(lambda: not door.is_ready(), 60), helpers.read(proxy.dir / "log")
        yield door, nodes
        for node in nodes.values():
            node.signal(signal.SIGTERM)  # all at once: each lingers


def place_of(nodes, execution_id):
    """-> the node whose own audit has it"""
    return [name for name, node in nodes.items() if execution_id in helpers.read(node.log_dir / "audit.jsonl")]


def test_haproxy_takes_the_shipped_configuration(fleet):
    said = fleet[0].proxy.check(SHIPPED)
    assert said.returncode == 0 and "Configuration file is valid" in said.stdout, said.stdout + said.stderr


def test_an_agents_runs_go_to_one_node_and_agents_to_both(fleet):
    door, nodes = fleet
    places = {}
    for agent in map("walker-{}".format, range(12)):
        found = [place_of(nodes, door.run("true", "bash", agent_id=agent)["execution_id"]) for _ in range(2)]
        assert found[0] == found[1] and len(found[0]) == 1, found
        places[agent] = found[0][0]
    assert set(places.values()) == set(NODES), "2 * 2 ** -12 is the chance that one has all"


def test_a_session_is_found_again_where_it_was_made(fleet):
    door, nodes = fleet
    made = [door.request("POST", "/sessions", json={"agent_id": "settler-%d" % i}) for i in range(4)]
    assert [m.status_code for m in made] == [201] * 4, [m.text for m in made]
    for m in made:
        where = "/sessions/" + m.json()["session_id"]
        assert m.headers["Location"].endswith(where)
        wrote = door.request("PUT", where + "/files/note", data=b"kept")  # names no agent
        assert wrote.status_code in (200, 201, 204), wrote.text
        assert door.request("GET", where + "/files/note").content == b"kept"
        assert door.request("DELETE", where).status_code < 300


class Load:
    """Clients that run one program after the other until it ends; what they were answered is counted."""
    def __init__(self, door, clients=3):
        self.door, self.counts, self.is_over = door, collections.Counter(), threading.Event()
        self.lock, self.bad = threading.Lock(), []
        self.threads = [threading.Thread(target=self.client, args=[i]) for i in range(clients)]

    def client(self, number):
        session, n = self.door.connection(), 0
        while not self.is_over.is_set():
            n += 1
            answer = self.door.execute("echo %d" % n, "bash", session=session, agent_id="load-%d-%d" % (number, n % 4))
            with self.lock:
                self.counts[answer.status_code] += 1
                if answer.status_code != 200 or answer.json()["stdout"] != "%d\n" % n:
                    self.bad.append(answer.text)

    def __enter__(self):
        for t in self.threads:
            t.start()
        return self

    def __exit__(self, *what):
        self.is_over.set()
        for t in self.threads:
            t.join()

    def goes_on(self, more=20):
        """Until so many have been answered from now on."""
        until = sum(self.counts.values()) + more
        assert not helpers.poll(lambda: sum(self.counts.values()) < until, 120), self.counts


def wait_until_it_gets_some(door, nodes, name):
    """HAProxy asks each second, and wants two good answers."""
    def is_left_out():
        made = door.run("true", "bash", agent_id="again-%d" % next(numbers))
        return name not in place_of(nodes, made["execution_id"])
    numbers = itertools.count()
    assert not helpers.poll(is_left_out, 60, every=0.1), name


def test_nodes_are_drained_end_and_start_again_one_after_the_other_and_no_request_fails(fleet):
    door, nodes = fleet
    with Load(door) as load:
        for name, node in nodes.items():
            load.goes_on()
            if name == "north":  # drained before it ends, and by its end alone
                assert command(node, "fleet", "drain", name).returncode == 0
                assert not helpers.poll(node.is_ready, 30)
                is_refused = helpers.poll(lambda: node.execute("true", "bash").status_code != 503, 60, 0.2)
                assert not is_refused, "it takes runs for ever"
                load.goes_on()
            assert node.stop() == 0
            load.goes_on()
            node.start(wait=False)
            if name == "north":
                assert command(node, "fleet", "resume", name).returncode == 0
            node.wait_ready()
            wait_until_it_gets_some(door, nodes, name)
    assert not load.bad and set(load.counts) == {200}, (load.counts, load.bad[:3])


def test_after_a_node_was_killed_the_other_has_all(fleet):
    door, nodes = fleet
    nodes["south"].kill9()
    try:
        found = [door.run("true", "bash", agent_id="left-%d" % i)["execution_id"] for i in range(6)]
        assert [place_of(nodes, e) for e in found] == [["north"]] * 6
    finally:
        nodes["south"].start()
