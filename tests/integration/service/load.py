"""load.py - many clients at once for the tests of the service, and what must be found afterwards of what they were
told.

    with Load(service, clients=200) as load:      # threads, each with its own connection
        load.wait_for(300)
    load.check_replies()

Each request carries a marker of its own, which the program prints: an answer that belongs to somebody else is seen.
Kinds of requests take turns.
"""
import collections
import http.client
import itertools
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import threading
import time
import urllib.parse

import helpers
from service import BASE

# the level of tests that say none: programs may start others, and nothing is counted
UNLIMITED = {"rate_limiting": {"enabled": False}, "sandbox": {"default_risk_level": "low"}}
Answer = collections.namedtuple("Answer", "status headers body")


class Client:
    """One kept connection of one thread; opened again when the service closed it."""

    def __init__(self, url, key, patience=90):
        self.at, self.key, self.patience, self.connection = urllib.parse.urlsplit(url), key, patience, None

    def open(self):
        if self.connection is None:
            self.connection = http.client.HTTPConnection(self.at.hostname, self.at.port, timeout=self.patience)
        return self.connection

    def close(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None

    def send(self, method, path, body=None, headers=()):
        """-> http.client.HTTPResponse, not yet read"""
        headers = {"Authorization": "Bearer " + self.key, "Content-Type": "application/json", **dict(headers)}
        self.open().request(method, BASE + path, None if body is None else json.dumps(body), headers)
        return self.connection.getresponse()

    def ask(self, method, path, body=None, headers=()):
        """-> Answer, whole. Raises OSError or http.client.HTTPException when there is none."""
        try:
            answer = self.send(method, path, body, headers)
            data = answer.read()
        except (OSError, http.client.HTTPException):
            self.close()
            raise
        if answer.will_close:
            self.close()
        return Answer(answer.status, answer.headers, data)


def events_in(text):
    """The events of a whole SSE body, as their data."""
    return [json.loads(line.removeprefix("data: ")) for line in text.decode().splitlines() if line.startswith("data: ")]


class Load:
    """clients threads that ask until the end of the with block. Collected: results {id: result}, accepted ids, refused
    statuses, failures in words."""

    def __init__(self, service, clients=16, kinds=("sync", "async", "stream"), code="echo %s", agents="own",
                 level="medium", waits=True, patience=90):
        self.service, self.clients, self.kinds = service, clients, kinds
        self.code, self.agents, self.level = code, agents, level
        self.waits, self.patience = waits, patience
        self.numbers, self.lock, self.ends = itertools.count(1), threading.Lock(), threading.Event()
        self.results, self.markers, self.accepted, self.refused, self.failures = {}, {}, [], collections.Counter(), []
        self.asked = 0

    def __enter__(self):
        url, key = self.service.url, self.service.key
        self.threads = [threading.Thread(target=self.work, args=(url, key, i), daemon=True)
                        for i in range(self.clients)]
        for t in self.threads:
            t.start()
        return self

    def __exit__(self, *what):
        self.ends.set()
        for t in self.threads:
            t.join(self.patience + 30)
        assert not [t for t in self.threads if t.is_alive()], "a client hangs"

    def wait_for(self, count, patience=120):
        """Until this many have their result: a slow machine gets its time."""
        left = helpers.poll(lambda: max(0, count - len(self.results)), patience)
        assert not left, "%d of %d results are not there: %s" % (left, count, self.failures[:3])

    def body(self, number, marker):
        body = {"language": "bash", "code": self.code % marker}
        if self.level:
            body["risk_level"] = self.level
        if self.agents == "own" and number % 2:
            body["agent_id"] = "agent-%d" % number
        return body

    def work(self, url, key, index):
        client = Client(url, key, self.patience)
        while not self.ends.is_set():
            number = next(self.numbers)
            marker, kind = "m-%d-" % number, self.kinds[(number + index) % len(self.kinds)]
            try:
                getattr(self, kind)(client, self.body(number, marker), marker)
            except (OSError, http.client.HTTPException) as e:
                self.fail("%s: %r" % (kind, e))
                client.close()
                time.sleep(0.05)
        client.close()

    def fail(self, words):
        with self.lock:
            self.failures.append(words)

    def is_accepted(self, answer, status):
        with self.lock:
            self.asked += 1
            if answer.status != status:
                self.refused[answer.status] += 1
                if answer.status not in (429, 503):
                    self.failures.append("%d %s" % (answer.status, answer.body[:300]))
        if answer.status in (429, 503):
            assert answer.headers["Retry-After"], "no Retry-After with %d" % answer.status
            time.sleep(0.05)  # not as long as it says: the queue is to be full
        return answer.status == status

    def take(self, result, marker):
        with self.lock:
            if result["execution_id"] in self.results:
                self.failures.append("%s was answered twice" % result["execution_id"])
            self.results[result["execution_id"]] = result
            self.markers[result["execution_id"]] = marker

    def sync(self, client, body, marker):
        answer = client.ask("POST", "/execute", body)
        if self.is_accepted(answer, 200):
            self.take(json.loads(answer.body), marker)

    def stream(self, client, body, marker):
        answer = client.ask("POST", "/execute", {**body, "stream": True})
        if not self.is_accepted(answer, 200):
            return
        events = events_in(answer.body)
        kinds = [e["type"] for e in events]
        if kinds[:1] != ["started"] or kinds[-1:] != ["result"] or kinds.count("result") != 1:
            return self.fail("a stream of %s: %s" % (kinds, events[-1:]))
        said = "".join(e["data"] for e in events if e["type"] == "stdout")
        if said != events[-1]["result"]["stdout"]:
            self.fail("streamed %r, and the result says %r" % (said, events[-1]["result"]["stdout"]))
        self.take(events[-1]["result"], marker)

    def submit(self, client, body, marker):
        answer = client.ask("POST", "/executions", body)
        if not self.is_accepted(answer, 202):
            return None
        with self.lock:
            self.accepted.append(json.loads(answer.body)["execution_id"])
        return json.loads(answer.body)["execution_id"]

    def async_(self, client, body, marker):
        execution = self.submit(client, body, marker)
        if execution and self.waits:
            result = wait_finished(client, execution, self.patience)
            self.take(result, marker)

    def __getattr__(self, name):
        if name == "async":
            return self.async_
        raise AttributeError(name)

    def check_replies(self):
        """Every answer was whole, its own and once."""
        assert not self.failures, "%d failures, such as %s" % (len(self.failures), self.failures[:5])
        for i, r in self.results.items():
            assert r["reason"] == "completed" and r["stdout"] == self.markers[i] + "\n", (self.markers[i], r)


def wait_finished(client, execution, patience):
    until = time.monotonic() + patience
    while True:
        answer = client.ask("GET", "/executions/" + execution)
        assert answer.status == 200, answer
        e = json.loads(answer.body)
        if e["state"] == "finished":
            return e["result"]
        assert time.monotonic() < until, "still %s: %s" % (e["state"], execution)
        time.sleep(0.05)


# ---- what is found afterwards ----

def store_rows(service):
    """[{column: value}] of the executions in the store, from a copy of its files."""
    with tempfile.TemporaryDirectory() as place:
        for path in service.state_dir.glob("state.db*"):
            shutil.copy(path, place)
        with sqlite3.connect(os.path.join(place, "state.db")) as db:
            db.row_factory = sqlite3.Row
            rows = [dict(r) for r in db.execute("SELECT * FROM executions")]
        db.close()
    return rows


def audit_lines(service):
    files = [*sorted(service.log_dir.glob("audit-*.jsonl")), service.log_dir / "audit.jsonl"]
    return [json.loads(line) for f in files for line in f.read_text().splitlines()]


def audited(service, action):
    """How often each execution has a line with this action."""
    return collections.Counter(line["process"]["entity_id"] for line in audit_lines(service)
                               if line["event"]["action"] == action)


def logged(service):
    """How often each execution has a log."""
    return collections.Counter(text.rpartition("Execution ID: ")[2].split()[0]
                               for text in map(helpers.read, service.log_dir.glob("*-risk_*.log")))


def check_audit(service):
    done = subprocess.run([str(helpers.AGENT), "audit", "verify", "--config", str(service.config_path)],
                          env=service.env, capture_output=True, text=True)
    assert done.returncode == 0, done


def check_nothing_left(service, launchers):
    """Neither processes of ours beside the service as it is now (orphans end up below us), nor cgroups of these
    launchers."""
    def left():
        helpers.reap_orphans()
        mine = {service.process.pid} | helpers.descendants(service.process.pid)
        # other tests' services and small Internet
        mine |= helpers.residents.union(*map(helpers.descendants, helpers.residents))
        return ["%d %s" % (p, helpers.read("/proc/%d/comm" % p).strip())
                for p in helpers.descendants(os.getpid()) - mine] + \
            [c for pid in launchers for c in helpers.cgroup_dirs(pid)]
    remains = helpers.poll(left, 60)
    assert not remains, remains


def launcher_of(service):
    """The launcher itself, which is there or comes: keepers and inits of sandboxes, which are below it, have its name.
    One of those may outlive its launcher for a moment, and any may end while this looks."""
    found = []

    def is_unclear():
        parents = {p: helpers.read("/proc/%s/comm" % helpers.status(p).get("PPid", "gone"))
                   for p in service.pids("sandbox-launcher")}
        found[:] = [p for p, name in parents.items() if name.startswith("sandboxd")]
        return len(found) != 1
    assert not helpers.poll(is_unclear, 60), found
    return found[0]


def seconds(number):
    """-> what only this test sleeps, as a word: other workers, and others on this machine, run the same tests"""
    return "9%07d.%s" % (os.getpid(), number)


def running(word):
    """Processes, seen from outside, with this word in their command line: `sleep seconds(5)` is somebody's only."""
    return [int(p) for p in os.listdir("/proc") if p.isdigit()
            and word in helpers.read("/proc/%s/cmdline" % p).split("\0")]
