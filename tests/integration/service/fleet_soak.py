"""fleet_soak.py - a fleet under mixed load while its parts die, are cut off, are slow, or have no disk.

    unshare --net --mount --propagation private python3 fleet_soak.py --seconds 1800 --seed 1 [--only FAULT]...

Faults and what clients do are drawn from the seed; what comes of it depends on the machine. Clients remember what they
were told, and at the end it has to be so: each accepted execution has exactly one end, no agent had more runs than its
limit, and those that were refused for it had exactly as many; whoever was banned ran nothing afterwards; the audits of
all nodes have every run and verify; nothing is left behind. Prints a line a fault and a table; exit code 1 where one of
these is not so.
"""
import argparse
import collections
import json
import pathlib
import random
import signal
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import helpers  # noqa: E402
import load  # noqa: E402
import requests  # noqa: E402
from fleet_faults import FAULTS  # noqa: E402
from fleet_world import CLOCK_OFF_MS, LIMIT, NAMES, World  # noqa: E402
from haproxy import Door  # noqa: E402

LEVELS = ("low_risk", "medium_risk", "high_risk")
CONFIG = {"rate_limiting": {"per_agent": {level: {"max_executions_per_hour": LIMIT} for level in LEVELS},
                            "per_key": {"max_new_agents_per_hour": 0},
                            "global": {"max_executions_per_hour": 1000000, "max_concurrent_executions": 60}},
          "sandbox": {"default_risk_level": "medium"},
          "endpoints": {"api": {"max_sessions": 1000, "max_results": 1000000}}, "fleet": {"witness_interval": 0.5}}
TROUBLED = {404, 409, 500, 502, 503, 504}  # what a client may be told while something is wrong
PATIENCE = 150  # until all is well again, or a dead node's run has its end


def mounts():
    return {line.split(" ", 1)[1] for line in helpers.read("/proc/self/mountinfo").splitlines()}


def is_limited(answer):
    """429 by the agent's limit, and not since the queue is full"""
    return answer.status_code == 429 and "per_hour" in answer.text


class Soak:
    def __init__(self, world, seed, clients):
        self.world, self.rng, self.lock, self.ends = world, random.Random(seed), threading.Lock(), threading.Event()
        self.failures, self.counts, self.faults = [], collections.Counter(), collections.Counter()
        self.accepted, self.told = set(), {}  # ids that were answered; of those that ended, how
        self.again = set()  # which may be run once more
        self.exhausted, self.used = set(), set()  # agents
        self.agents, self.trouble, self.launchers = collections.Counter(), [0.0, 0.0], set()
        # a process's own doors are each node's; half of the time clients come through HAProxy
        self.doors = [Door(Address(n), world.door.key) for n in world.nodes]
        self.run_key = world.door.new_key("run", "soak", allow_risk_override=True)
        self.clients = [Client(self, i, random.Random(seed * 1000 + i)) for i in range(clients)]
        self.note_launchers()

    def __enter__(self):
        self.threads = [threading.Thread(target=c.work, daemon=True) for c in self.clients]
        for t in self.threads:
            t.start()
        return self

    def __exit__(self, *what):
        self.ends.set()
        for t in self.threads:
            t.join(300)
        assert not [t for t in self.threads if t.is_alive()], "a client hangs"

    def note_launchers(self):
        self.launchers.update(load.launcher_of(n) for n in self.world.nodes if n.process.poll() is None)

    def fail(self, *words):
        with self.lock:
            self.failures.append(" ".join(map(str, words)))
        print("FAILED", *words, flush=True)

    # -- faults --

    def is_troubled(self, since):
        """Whether something was wrong at any time from then until now."""
        begin, end = self.trouble
        return end == 0 or since < end

    def make_trouble(self, name, seconds):
        """One fault, and all is well afterwards."""
        begin = time.monotonic()
        self.trouble = [begin, 0]
        words = FAULTS[name](self, seconds)
        healed = time.monotonic()
        self.await_health()
        self.trouble = [begin, time.monotonic()]
        self.faults[name] += 1
        self.note_launchers()
        print("%s %s %s: %.1f s, well again after %.1f s; %s" % (time.strftime("%H:%M:%S"), name, words, healed - begin,
                                                                time.monotonic() - healed, dict(self.counts)),
              flush=True)

    def await_health(self):
        def is_bad():
            for n, door in zip(self.world.nodes, self.doors):
                if n.process.poll() is not None:
                    return "%s has ended:\n%s" % (n.name, n.logs[-2000:])
                n.url = door.url
                if not n.is_ready():
                    return "%s is not ready: %s" % (n.name, n.logs[-2000:])
            return not self.world.door.is_ready() and "the proxy"
        bad = helpers.poll(is_bad, PATIENCE, 0.2)
        assert not bad, bad
        time.sleep(2.5)  # HAProxy wants two good answers of each, a second apart

    # -- afterwards --

    def check(self):
        self.use_up()
        self.end_sessions()
        self.check_ends()
        self.check_limits()
        self.check_audits()
        self.check_clock()
        assert not self.failures, "%d failures, such as %s" % (len(self.failures), self.failures[:5])

    def use_up(self):
        """Until each agent is refused: exactly its limit has to be booked then. Also of those that were refused before:
        what a node had leased when the database crashed counts as used until that node gives back the rest."""
        for agent in sorted(self.used):
            for i in range(3 * LIMIT):
                answer = self.world.door.execute("true", "bash", key=self.run_key, agent_id=agent, risk_level="medium")
                if is_limited(answer):
                    self.exhausted.add(agent)
                    break
            else:
                self.fail(agent, "is never refused:", answer.status_code, answer.text[:300])

    def end_sessions(self):
        for n in self.world.nodes:
            for s in n.request("GET", "/sessions?state=running").json()["sessions"]:
                n.request("DELETE", "/sessions/" + s["session_id"])

    def rows(self, sql):
        return [line.split("|") for line in self.world.database.ask(sql).splitlines()]

    def check_ends(self):
        """In the store: one row and one result each, finished, and as clients were told."""
        open_rows = "SELECT id, state, owner_place, is_asynchronous FROM executions WHERE state < 2 AND id LIKE '%-%'"
        left = helpers.poll(lambda: self.rows(open_rows), PATIENCE, 0.5)
        if left:
            self.fail("%d executions without an end:" % len(left), left[:5])
        reasons = self.rows("SELECT id, e.reason, r.execution IS NOT NULL FROM executions e LEFT JOIN results r ON "
                            "r.execution = e.number WHERE state = 2")
        found = {i: (reason, has) for i, reason, has in reasons}
        for i in sorted(self.accepted - set(found)):
            self.fail(i, "was accepted, and is not in the store")
        for i in sorted(i for i in self.accepted if i in found and i.startswith("exec-") and found[i][1] != "t"):
            self.fail(i, "has no result")
        for i, reason in sorted(self.told.items()):
            now = self.world.door.execution(i)["reason"] if i in found else None
            if now and now != reason:
                self.fail(i, "had ended as", reason, "and now as", now)
        waiting = helpers.poll(lambda: self.rows("SELECT execution, is_taken FROM requests"), 60, 0.5)
        if waiting:
            self.fail("requests that nobody runs:", waiting)
        unsettled = "SELECT execution_id, owner_place FROM runs WHERE state = 0"
        open_runs = helpers.poll(lambda: self.rows(unsettled), 60, 0.5)
        if open_runs:
            self.fail("runs without an end:", open_runs[:5])
        self.counts["rows"] = len(found)

    def check_limits(self):
        runs = {agent: int(n) for agent, n in self.rows(
            "SELECT a.id, count(*) FROM runs r JOIN agents a ON a.number = r.agent WHERE r.level = 1 AND "
            "r.execution_id NOT LIKE 'job-%' GROUP BY 1")}
        lost = {agent: int(n) for agent, n in self.rows(
            "SELECT a.id, sum(lost) FROM leases l JOIN agents a ON a.number = l.agent GROUP BY 1")}
        for agent in sorted(self.used):
            n, gone = runs.get(agent, 0), lost.get(agent, 0)
            if n + gone > LIMIT or (agent in self.exhausted and n + gone != LIMIT):
                self.fail(agent, "had %d runs of %d, and %d are lost" % (n, LIMIT, gone))
        self.counts.update(exhausted=len(self.exhausted), lost=sum(lost.values()))

    def check_audits(self):
        lines = [(n.name, line) for n in self.world.nodes for line in load.audit_lines(n)]
        began, ended, taken, of_agent = (collections.Counter() for _ in range(4))
        for name, line in lines:
            action, i = line["event"]["action"], line.get("process", {}).get("entity_id")
            if action == "execution-decided":
                began[i] += 1
                of_agent[line.get("user", {}).get("id") or line.get("user", {}).get("name")] += not i.startswith("job-")
            elif action in ("execution-finished", "execution-recovered"):
                ended[i] += 1
                taken[i] += action == "execution-recovered"
        for i in sorted(set(began) - set(ended)):
            self.fail(i, "began and has no end in any audit")
        for i in sorted(i for i in self.told if i not in ended and i not in self.world_refused()):
            self.fail(i, "is in no audit, and was told as", self.told[i])
        for i in sorted(i for i in ended if ended[i] > 1 and i not in self.again and not taken[i]):
            self.fail(i, "has %d ends in the audits" % ended[i])
        for agent in self.used:
            if of_agent[agent] > LIMIT:
                self.fail(agent, "began %d runs of %d" % (of_agent[agent], LIMIT))
        self.counts.update(audited=len(began), told_twice=sum(n > 1 for n in ended.values()))
        for n in self.world.nodes:
            done = self.world.command(n, "audit", "verify")
            if done.returncode:
                self.fail(n.name, "audit verify:", done.stdout, done.stderr)
        done = helpers.poll(lambda: (d := self.world.command(self.world.nodes[0], "audit", "verify", "--fleet"))
                            and d.returncode and d, 60, 1)
        if done:
            self.fail("audit verify --fleet:", done.stdout, done.stderr)

    def world_refused(self):
        """Executions that began nothing: they have no line of a run."""
        return {i for i, in self.rows("SELECT id FROM executions WHERE started_ms = 0")}

    def check_clock(self):
        told = {n["node"]: n["clock_off_ms"] for n in json.loads(
            self.world.command(self.world.nodes[0], "fleet", "status", "--json").stdout)}
        self.counts["clock_off_ms"] = told[NAMES[-1]]
        if abs(told[NAMES[-1]] - CLOCK_OFF_MS) > 500 or told[NAMES[0]] > 500:
            self.fail("clocks are off by", told)

    def check_nothing_left(self, before):
        """When all nodes have ended. before: the mounts that there were"""
        left = helpers.poll(helpers.left_processes, 60) or \
            helpers.poll(lambda: [c for pid in self.launchers for c in helpers.cgroup_dirs(pid)], 60) or \
            sorted(mounts() - before)
        assert not left, left


class Address:
    """A door to one node."""

    def __init__(self, node):
        self.url, self.certificate = node.url, node.authority


class Client:
    def __init__(self, soak, index, rng):
        self.soak, self.index, self.rng, self.what = soak, index, rng, "nothing yet"
        self.doors = [soak.world.door] * len(soak.doors) + soak.doors
        self.connections = {id(d): d.connection() for d in self.doors}
        self.group = "g%d" % (index // 2)  # two clients share their agents

    def ask(self, method, path, key=None, door=None, **more):
        """Through HAProxy, or of any node."""
        door = door or self.rng.choice(self.doors)
        return door.request(method, path, key=key or self.soak.run_key, session=self.connections[id(door)], timeout=90,
                            **more)

    def work(self):
        acts = [self.run] * 8 + [self.submit] * 4 + [self.session, self.banned, self.cancel]
        while not self.soak.ends.is_set():
            begin, act = time.monotonic(), self.rng.choice(acts)
            self.what = act.__name__
            try:
                act(begin)
            except requests.RequestException as e:
                self.soak.counts["cut off"] += 1
                if not self.soak.is_troubled(begin):
                    self.soak.fail(self.what, "without any fault: %r" % e)
                time.sleep(0.1)

    def is_told(self, answer, begin, *expected):
        """Whether it is what was asked for; a refusal for another reason than a fault is a failure."""
        status = answer.status_code
        with self.soak.lock:
            self.soak.counts["%s %d" % (self.what, status)] += 1
        if status in expected:
            return True
        if status == 503 and "application/json" in answer.headers.get("Content-Type", "") and \
                not int(answer.headers.get("Retry-After", "0")):
            self.soak.fail(self.what, "503 without Retry-After:", answer.text[:300])
        is_explained = status in TROUBLED and self.soak.is_troubled(begin)
        if status == 429:
            if is_limited(answer):
                self.next_agent(json.loads(answer.request.body)["agent_id"])
        elif not is_explained:
            self.soak.fail(self.what, status, answer.text[:500])
        time.sleep(0.05)
        return False

    # -- agents --

    def agent(self):
        with self.soak.lock:
            name = "%s-%d" % (self.group, self.soak.agents[self.group])
            self.soak.used.add(name)
        return name

    def next_agent(self, agent):
        with self.soak.lock:
            self.soak.exhausted.add(agent)
            if agent == "%s-%d" % (self.group, self.soak.agents[self.group]):
                self.soak.agents[self.group] += 1

    # -- what they do --

    def body(self, **more):
        marker = "m%x" % self.rng.getrandbits(64)
        return marker, {"language": "bash", "code": "echo %s" % marker, "agent_id": self.agent(),
                        "risk_level": "medium", **more}

    def accept(self, execution):
        with self.soak.lock:
            self.soak.accepted.add(execution)

    def take(self, result, marker, begin):
        with self.soak.lock:
            self.soak.accepted.add(result["execution_id"])
            self.soak.told[result["execution_id"]] = result["reason"]
        if result["reason"] == "completed" and result["stdout"] != marker + "\n":
            self.soak.fail("%s said %r, not %r" % (self.what, result["stdout"], marker))
        elif result["reason"] != "completed" and not self.soak.is_troubled(begin):
            self.soak.fail(self.what, "without any fault:", result)

    def run(self, begin):
        marker, body = self.body()
        answer = self.ask("POST", "/execute", json=body)
        if self.is_told(answer, begin, 200):
            self.take(answer.json(), marker, begin)

    def submit(self, begin):
        may_again = self.rng.random() < 0.3
        marker, body = self.body(**({"retry": "node_lost"} if may_again else {}))
        body["code"] = "sleep %.2f; " % self.rng.choice([0, 0, 0.3, 2]) + body["code"]
        answer = self.ask("POST", "/executions", json=body)
        if not self.is_told(answer, begin, 202):
            return
        execution = answer.json()["execution_id"]
        self.accept(execution)
        if may_again:
            self.soak.again.add(execution)
        if self.rng.random() < 0.5:
            self.await_end(execution, marker, begin)

    def await_end(self, execution, marker, begin):
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and not self.soak.ends.is_set():
            answer = self.ask("GET", "/executions/" + execution)
            if answer.status_code == 404:
                return self.soak.fail(execution, "was accepted, and is not found:", answer.text[:300])
            if answer.status_code == 200 and answer.json()["state"] == "finished":
                e = answer.json()
                if e["result"]["reason"] == "policy_denied" and "per_hour" in json.dumps(e["result"]):
                    with self.soak.lock:
                        self.soak.told[execution] = e["reason"]
                    return self.next_agent(e["result"]["agent_id"])
                return self.take(e["result"], marker, begin)
            time.sleep(0.1)

    def cancel(self, begin):
        _, body = self.body(code="sleep 8")
        answer = self.ask("POST", "/executions", json=body)
        if not self.is_told(answer, begin, 202):
            return
        execution = answer.json()["execution_id"]
        self.accept(execution)
        for _ in range(20):
            if self.is_told(self.ask("DELETE", "/executions/" + execution), begin, 202, 409):
                return
            time.sleep(0.5)

    def session(self, begin):
        answer = self.ask("POST", "/sessions", json={"agent_id": self.agent(), "risk_level": "medium", "ttl": 120})
        if not self.is_told(answer, begin, 201):
            return
        session, marker = answer.json()["session_id"], "m%x" % self.rng.getrandbits(64)
        self.accept(session)
        path, data = "/sessions/%s" % session, marker.encode()
        job = self.ask("POST", path + "/execute", json={"command": "echo " + marker})
        if self.is_told(job, begin, 200):
            self.take(job.json(), marker, begin)
        if self.is_told(self.ask("PUT", path + "/files/f", data=data), begin, 200, 201, 204):
            back = self.ask("GET", path + "/files/f")
            if self.is_told(back, begin, 200) and back.content != data:
                self.soak.fail("a file came back other than it was")
        self.is_told(self.ask("DELETE", path), begin, 200, 202, 204)

    def banned(self, begin):
        """From the answer on, no run of it on any node."""
        agent, admin = "ban-%x" % self.rng.getrandbits(40), self.soak.world.door.key
        body = {"language": "bash", "code": "true", "agent_id": agent, "risk_level": "medium"}
        if not self.is_told(self.ask("POST", "/execute", json=body), begin, 200):
            return
        answer = self.ask("POST", "/agents/%s/ban" % agent, key=admin, json={"reason": "soak"})
        if not self.is_told(answer, begin, 200):
            return
        for door in self.rng.sample(self.soak.doors, len(self.soak.doors)):
            self.is_told(self.ask("POST", "/execute", door=door, json=body), begin, 403)
            # 200 and 202 are failures always


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--clients", type=int, default=6)
    parser.add_argument("--only", action="append", choices=sorted(FAULTS))
    parser.add_argument("--longest", type=float, default=4, help="a fault lasts so many seconds at most")
    parser.add_argument("--durable", choices=("yes", "no"), default="yes", help="store.wait_for_disk")
    o = parser.parse_args()
    helpers.become_subreaper()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    before = mounts()
    with World(CONFIG, o.durable == "yes") as world:
        until = time.monotonic() + o.seconds
        soak = Soak(world, o.seed, o.clients)
        with soak:
            time.sleep(2)
            order = list(o.only or FAULTS)
            while time.monotonic() < until and not soak.failures:
                soak.rng.shuffle(order)
                for name in order:
                    if time.monotonic() < until:
                        soak.make_trouble(name, soak.rng.uniform(0.5, o.longest))
                        time.sleep(soak.rng.uniform(0.5, 2))
        soak.check()
    soak.check_nothing_left(before)
    print("faults:", dict(soak.faults), "clients:", dict(soak.counts), flush=True)


if __name__ == "__main__":
    main()
