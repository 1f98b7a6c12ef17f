#!/usr/bin/python3
"""rolling.py - a fleet of three nodes goes from one version to the next under load, and no request may fail.

    git worktree add ../before COMMIT && make -C ../before -s -j2
    tests/upgrade/rolling.py --old ../before/build [--seconds 20] [--clients 4] [--back]

By hand, as root or an ordinary user: ./check has no older build. It needs PostgreSQL and HAProxy from Debian's packages
and starts its own, on sockets and ports of its own. As an operator does it (docs/fleet.md):

    1. three nodes of the old version, each with a role of its own, behind deploy/fleet/haproxy.cfg, and clients
    2. the new version's `store migrate` and `store grant`, while the old nodes work
    3. each node: `fleet drain`, until nothing is open there; SIGTERM; the new program with the same files; `fleet
       resume`; until HAProxy sends it something. Between two of them both versions work side by side for --seconds.
       --no-drain: SIGTERM alone, and no sessions, which end with their node; for versions of before 2026-11-28, whose
       `fleet drain` refuses what HAProxy sends before it has seen /readyz
    4. --back: one node goes back to the old version, and forward again

Clients run programs, submit them and ask for status, result, events and artifacts of any node's, and have short
sessions. Any answer that is none of the ordinary ones is a failure, also 429 and 503. At the end each accepted
execution has one end in the store, and the audits verify. Exit code: 0, or 1 with what was wrong.
"""
import argparse
import collections
import contextlib
import json
import os
import pathlib
import random
import subprocess
import sys
import threading
import time

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "tests/integration/service"), str(TOP / "tests/integration")]
import helpers  # noqa: E402
import requests  # noqa: E402
from haproxy import Door, HAProxy, free_port  # noqa: E402
from postgresql import PostgreSQL  # noqa: E402
from service import Service  # noqa: E402

NAMES = ("node-1", "node-2", "node-3")
CONFIG = {"rate_limiting": {"enabled": False}, "endpoints": {"api": {"linger": "3s"}},
          "fleet": {"witness_interval": 0.5}}


class Node(Service):
    """One that runs either version, with the same files and the same port."""

    def __init__(self, name, database, build):
        self.name, self.port = name, free_port()
        config = helpers.merged(database.config(name, name), CONFIG)
        config["fleet"]["address"] = "http://127.0.0.1:%d" % self.port
        super().__init__(config, ["--listen", "127.0.0.1:%d" % self.port], start=False)
        self.take(build)

    def take(self, build):
        self.build, self.daemon = build, build / "bin/sandboxd"

    def command(self, *words, build=None):
        argv = [(build or self.build) / "bin/sandbox-agent", *words, "--config", self.config_path]
        return subprocess.run(argv, env={**self.env, "SANDBOX_AGENT_API_KEY": self.key or ""}, capture_output=True,
                              text=True, timeout=120)


class Fleet:
    def __init__(self, stack, old, new, drains):
        self.old, self.new, self.drains = old, new, drains
        self.database = PostgreSQL()
        stack.callback(self.database.close)
        self.nodes = [stack.enter_context(Node(name, self.database, old)) for name in NAMES]
        self.schema(old)
        key = self.admin(old, "keys", "create", "--name", "first", "--role", "admin").split()[-1]
        for n in self.nodes:
            n.key = key
            n.start()
        self.proxy = HAProxy({n.name: n.port for n in self.nodes})
        stack.callback(self.proxy.close)
        self.door = Door(self.proxy, key)
        assert not helpers.poll(lambda: not self.door.is_ready(), 60), helpers.read(self.proxy.dir / "log")

    def admin(self, build, *words):
        """With the role that owns the tables. -> what it says"""
        n, path = self.nodes[0], self.nodes[0].dir / "admin.yaml"
        path.write_text(helpers.to_yaml({"sandbox": {"paths": {"state_dir": str(n.dir / "admin-state"), "log_dir":
                                                               str(n.dir / "admin-log")}},
                                         **self.database.config("admin")}))
        said = subprocess.run([build / "bin/sandbox-agent", *words, "--config", path], env=n.env, capture_output=True,
                              text=True, timeout=120)
        assert said.returncode == 0, (words, said.stdout + said.stderr)
        return said.stdout

    def schema(self, build):
        self.admin(build, "store", "migrate")
        for n in self.nodes:
            if not self.database.ask("SELECT 1 FROM pg_roles WHERE rolname = '%s'" % n.name):
                self.database.ask('CREATE ROLE "%s" LOGIN' % n.name)
            self.admin(build, "store", "grant", n.name)
        return self.database.ask("SELECT version || ' (for programs of ' || schema_min || ' to ' || schema_max || ')' "
                                 "FROM schema_version")

    def status(self, node):
        return {n["node"]: n for n in json.loads(self.admin(self.new, "fleet", "status", "--json"))}[node.name]

    def replace(self, node, build, load):
        begin = time.monotonic()
        if self.drains:
            self.admin(self.new, "fleet", "drain", node.name)
            assert not helpers.poll(node.is_ready, 60), node.name + " does not know"
            load.goes_on(3)  # as long as HAProxy may still send
            late = helpers.poll(lambda: self.status(node)["open_executions"], 120, 0.2)
            assert not late, "%s does not become empty: %s" % (node.name, late)
        code = node.stop()
        assert code == 0, (code, node.logs[-2000:])
        node.take(build)
        node.start(wait=False)
        ended = time.monotonic() - begin
        if self.drains:
            self.admin(self.new, "fleet", "resume", node.name)
        node.wait_ready()
        before = self.taken(node)
        assert not helpers.poll(lambda: self.taken(node) == before, 60, 0.2), node.name + " is sent nothing"
        return "%s: ended after %.1f s, in use again after %.1f s" % (node.name, ended, time.monotonic() - begin)

    def taken(self, node):
        return int(self.database.ask("SELECT count(*) FROM executions WHERE split_part(owner_place, ' ', 3) = '%s'" %
                                     node.name))


class Load:
    """Clients, until it ends; what is wrong is kept."""

    def __init__(self, fleet, clients, seed):
        self.fleet, self.counts, self.failures = fleet, collections.Counter(), []
        self.accepted, self.lock, self.is_over = {}, threading.Lock(), threading.Event()
        self.times = collections.defaultdict(list)
        self.threads = [threading.Thread(target=self.client, args=[i, random.Random(seed + i)]) for i in range(clients)]

    def __enter__(self):
        for t in self.threads:
            t.start()
        return self

    def __exit__(self, *what):
        self.is_over.set()
        for t in self.threads:
            t.join(300)

    def client(self, number, rng):
        session, n = self.fleet.door.connection(), 0
        acts = [self.run] * 6 + [self.submit] * 3 + [self.read] + ([self.session] * 2 if self.fleet.drains else [])
        while not self.is_over.is_set():
            n += 1
            act, begin = rng.choice(acts), time.monotonic()
            try:
                act(session, "agent-%d-%d" % (number, rng.randrange(6)), "%d.%d" % (number, n))
            except (requests.RequestException, AssertionError) as e:
                with self.lock:
                    self.failures.append("%s: %r" % (act.__name__, e))
            with self.lock:
                self.times[act.__name__].append(time.monotonic() - begin)

    def ask(self, session, status, method, path, **more):
        answer = self.fleet.door.request(method, path, session=session, timeout=60, **more)
        with self.lock:
            self.counts["%s %s: %d" % (method, "/".join(p if "-" not in p else "ID" for p in path.split("/")),
                                       answer.status_code)] += 1
        assert answer.status_code == status, (method, path, answer.status_code, answer.text[:400])
        return answer

    def accept(self, execution, retries=False):
        with self.lock:
            self.accepted[execution] = retries

    def run(self, session, agent, marker):
        told = self.ask(session, 200, "POST", "/execute", json={"language": "bash", "code": "echo " + marker,
                                                                "agent_id": agent}).json()
        self.accept(told["execution_id"])
        assert told["reason"] == "completed" and told["stdout"] == marker + "\n", told

    def submit(self, session, agent, marker):
        made = self.ask(session, 202, "POST", "/executions", json={"language": "bash", "code": "sleep 0.2; echo " +
                                                                   marker, "agent_id": agent}).json()["execution_id"]
        self.accept(made)
        until, e = time.monotonic() + 120, {"state": "accepted"}
        while e["state"] != "finished":
            assert time.monotonic() < until, "still not finished: %s" % e
            time.sleep(0.05)
            e = self.ask(session, 200, "GET", "/executions/" + made).json()
        assert e["reason"] == "completed" and e["result"]["stdout"] == marker + "\n", e
        # of whichever node asks: it asks the owner
        node = random.choice(self.fleet.nodes)
        with contextlib.suppress(requests.ConnectionError):  # a node's own address, which may be ending
            answer = session.request("GET", "http://127.0.0.1:%d/api/v1/sandbox/executions/%s" % (node.port, made),
                                     headers={"Authorization": "Bearer " + self.fleet.door.key}, timeout=60)
            assert answer.status_code == 200 and answer.json()["state"] == "finished", answer.text[:400]

    def session(self, session, agent, marker):
        made = self.ask(session, 201, "POST", "/sessions", json={"agent_id": agent, "ttl": 60}).json()["session_id"]
        self.accept(made)
        at = "/sessions/" + made
        told = self.ask(session, 200, "POST", at + "/execute", json={"command": "echo " + marker}).json()
        assert told["stdout"] == marker + "\n", told
        answer = self.fleet.door.request("DELETE", at, session=session, timeout=60)
        assert answer.status_code in (200, 202, 204), answer.text

    def read(self, session, agent, marker):
        self.ask(session, 200, "GET", "/executions?limit=20")
        self.ask(session, 200, "GET", "/agents?limit=20")

    def goes_on(self, seconds):
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self.failures:
            time.sleep(0.2)
        assert not self.failures, self.failures[:5]


def check(fleet, load):
    rows = dict(line.split("|") for line in fleet.database.ask(
        "SELECT id, state || ' ' || reason FROM executions WHERE id LIKE '%-%'").splitlines())
    left = helpers.poll(lambda: fleet.database.ask("SELECT id FROM executions WHERE state < 2"), 60, 0.5)
    assert not left, "without an end: " + left
    lost = sorted(set(load.accepted) - set(rows))
    assert not lost, "accepted and not in the store: %s" % lost[:5]
    for n in fleet.nodes:
        done = n.command("audit", "verify")
        assert done.returncode == 0, (n.name, done.stdout, done.stderr)
    done = helpers.poll(lambda: (d := fleet.nodes[0].command("audit", "verify", "--fleet")) and d.returncode and d,
                        150, 2)
    assert not done, (done.stdout, done.stderr)


def milliseconds(times, share):
    return 1000 * sorted(times)[min(len(times) - 1, int(len(times) * share))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--old", type=pathlib.Path, required=True, help="build directory of the version before")
    parser.add_argument("--new", type=pathlib.Path, default=TOP / "build", help="this one's")
    parser.add_argument("--seconds", type=float, default=20, help="for which versions work side by side, each time")
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-drain", action="store_true", help="nodes end by SIGTERM alone")
    parser.add_argument("--back", action="store_true", help="one node also goes back to the old version")
    o = parser.parse_args()
    helpers.become_subreaper()
    with contextlib.ExitStack() as stack:
        fleet = Fleet(stack, o.old.resolve(), o.new.resolve(), not o.no_drain)
        print("schema", fleet.database.ask("SELECT version FROM schema_version"), flush=True)
        with Load(fleet, o.clients, o.seed) as load:
            load.goes_on(o.seconds / 2)
            print("migrated to schema", fleet.schema(fleet.new), flush=True)
            load.goes_on(o.seconds / 2)
            for n in fleet.nodes:
                print(fleet.replace(n, fleet.new, load), flush=True)
                load.goes_on(o.seconds)
            for build in (fleet.old, fleet.new) if o.back else ():
                print("back" if build == fleet.old else "and forward:", fleet.replace(fleet.nodes[0], build, load),
                      flush=True)
                load.goes_on(o.seconds)
        failures = load.failures
        if not failures:
            check(fleet, load)
        for what, n in sorted(load.counts.items()):
            print("%8d  %s" % (n, what))
        for what, times in sorted(load.times.items()):
            print("%8s  p50 %.0f ms, p99 %.0f ms, longest %.0f ms" % (what, milliseconds(times, .5), milliseconds(
                times, .99), 1000 * max(times)))
        print("load %.1f; %d answers, %d failed" % (os.getloadavg()[0], sum(load.counts.values()), len(failures)))
        for n in fleet.nodes:
            n.signal(15)  # all at once: each lingers
    for f in failures[:20]:
        print("FAILED", f)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
