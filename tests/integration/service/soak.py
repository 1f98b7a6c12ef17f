"""soak.py - sessions in use for a long time, while clients leave and the launcher and the service die.

    with Soak(service, seed=1, sessions=50, workers=8) as soak:
        soak.kill_launcher(); soak.kill_service()        whenever the caller likes
    soak.check()

What each worker does is drawn from the seed; what comes of it depends on the machine. A worker knows what it was told
(`accepted`): each of these has exactly one end in the record.
"""
import collections
import os
import random
import threading
import time

import helpers
import load
import requests

# what a client may be told while a launcher or the service is gone, or its session with them
TOLERATED = {404, 409, 429, 500, 503}
KNOWN_LATE_S = 2  # a kill is known a little after it took place: what began meanwhile is broken off, too
CELLS = {"python": "x = %r\nprint(x)", "bash": "x=%r; echo $x", "node": "x = %r; console.log(x)"}


class Soak:
    def __init__(self, service, seed, sessions, workers, languages=("python", "bash")):
        self.service, self.seed, self.languages = service, seed, languages
        self.each, self.workers = max(1, sessions // workers), workers
        self.key, self.lock = service.override(), threading.Lock()
        self.ends, self.is_up = threading.Event(), threading.Event()
        self.accepted, self.failures, self.counts = set(), [], collections.Counter()
        self.launchers, self.kills = [load.launcher_of(service)], collections.Counter()
        self.last_kill, self.samples = 0.0, []
        self.is_up.set()

    def __enter__(self):
        self.threads = [threading.Thread(target=self.work, args=[i], daemon=True) for i in range(self.workers)]
        for t in self.threads:
            t.start()
        return self

    def __exit__(self, *what):
        self.ends.set()
        self.is_up.set()
        for t in self.threads:
            t.join(120)
        assert not [t for t in self.threads if t.is_alive()], "a client hangs"

    # -- what dies --

    def kill_launcher(self):
        self.launchers.append(load.launcher_of(self.service))
        helpers.kill_quietly(self.launchers[-1])
        self.last_kill = time.monotonic()
        self.kills["launcher"] += 1

    def kill_service(self):
        self.launchers.append(load.launcher_of(self.service))
        self.is_up.clear()
        self.service.kill9()
        load.check_nothing_left(self.service, self.launchers)
        self.service.start()
        self.kills["service"] += 1
        self.last_kill = time.monotonic()
        self.is_up.set()

    def wait_for(self, count, patience=600):
        """Until this many more jobs have been answered."""
        until = self.counts["answered"] + count
        left = helpers.poll(lambda: max(0, until - self.counts["answered"]), patience)
        assert not left, "%d of %d jobs are not there: %s" % (left, count, self.failures[:3])

    def sample(self):
        """Resident MiB and descriptors of the service's process."""
        pid = self.service.pids("sandboxd")[-1]
        rss = int(helpers.status(pid)["VmRSS"].split()[0]) // 1024
        self.samples.append((rss, len(os.listdir("/proc/%d/fd" % pid))))
        return self.samples[-1]

    # -- clients --

    def work(self, index):
        worker = Worker(self, random.Random(self.seed * 1000 + index), "agent-%d" % index)
        while not self.ends.is_set():
            self.is_up.wait()
            begin = time.monotonic()
            try:
                worker.act()
            except (requests.RequestException, TypeError) as e:  # TypeError: there is no address while it starts
                with self.lock:
                    self.counts["cut off"] += 1
                if self.is_up.is_set() and self.last_kill < begin - KNOWN_LATE_S:
                    self.fail("%s, %.1f s after a kill: %r" % (worker.what, begin - self.last_kill, e))
                time.sleep(0.05)
        worker.leave()

    def fail(self, words):
        with self.lock:
            self.failures.append(words)

    # -- afterwards --

    def check(self):
        assert not self.failures, "%d failures, such as %s" % (len(self.failures), self.failures[:5])
        service = self.service
        for s in [s for s in service.request("GET", "/sessions", key=self.key).json()["sessions"] if not s["ended_at"]]:
            service.request("DELETE", "/sessions/" + s["session_id"], key=self.key)
        rows = {}

        def unfinished():
            rows.update({r["id"]: r for r in load.store_rows(service)})
            return [i for i in {*rows, *self.accepted} if not rows.get(i, {}).get("finished_ms")]
        left = helpers.poll(unfinished, 120, 0.2)
        assert not left, "without an end in the store: %s" % [rows.get(i, i) for i in left[:3]]

        def ends():
            return load.audited(service, "execution-finished") + load.audited(service, "execution-recovered")
        began = load.audited(service, "execution-decided")
        missing = helpers.poll(lambda: set(began) - set(ends()), 60)
        assert not missing, "began, and never ended: %s" % [rows.get(i) for i in list(missing)[:3]]
        twice = [i for i, n in ends().items() if n > 1]
        assert not twice, "ended twice: %s" % twice[:5]
        assert not set(ends()) - set(began), "ended, and never began"
        load.check_audit(service)
        return len(rows)


class Worker:
    """One client with its sessions, and one connection that it may drop."""

    def __init__(self, soak, rng, agent):
        self.soak, self.service, self.rng, self.agent = soak, soak.service, rng, agent
        self.sessions, self.connection = {}, soak.service.connection()
        self.what, self.begin = "nothing yet", 0.0

    def ask(self, method, path, timeout=120, **more):
        return self.service.request(method, path, key=self.soak.key, session=self.connection, timeout=timeout, **more)

    def told(self, answer, *expected):
        """-> whether it is what was asked for; what an end of something explains is no failure"""
        if answer.status_code in expected:
            return True
        if answer.status_code not in TOLERATED:
            self.soak.fail("%s: %d %s" % (self.what, answer.status_code, answer.text[:300]))
        return False

    def accept(self, execution):
        with self.soak.lock:
            self.soak.accepted.add(execution)
            self.soak.counts["answered"] += 1
            self.soak.counts[self.what] += 1

    def act(self):
        self.begin = time.monotonic() - KNOWN_LATE_S
        if len(self.sessions) < self.soak.each and (not self.sessions or self.rng.random() < 0.3):
            return self.open()
        chosen = self.rng.choice(sorted(self.sessions))
        acts = [self.job] * 6 + [self.cell] * 4 + [self.process] * 2 + [self.file] * 4
        acts += [self.background, self.leaving, self.pause, self.snapshot, self.end]
        self.what = (act := self.rng.choice(acts)).__name__
        if act(chosen) is False:
            self.look(chosen)

    def look(self, session):
        """Something was refused: is the session there still?"""
        answer = self.ask("GET", "/sessions/" + session)
        if answer.status_code == 404 or (answer.status_code == 200 and answer.json()["ended_at"]):
            del self.sessions[session]
        else:
            time.sleep(0.02)

    def open(self):
        self.what = "open"
        body = {"agent_id": self.agent, "risk_level": self.rng.choice(["low", "medium"]), "ttl": 600}
        answer = self.ask("POST", "/sessions", json=body)
        if self.told(answer, 201):
            self.sessions[answer.json()["session_id"]] = {}
            self.accept(answer.json()["session_id"])

    def result(self, answer, expected):
        if not self.told(answer, 200):
            return False
        r = answer.json()
        self.accept(r["execution_id"])
        if r["reason"] == "completed" and r["stdout"] != expected:
            self.soak.fail("%s said %r, not %r" % (self.what, r["stdout"], expected))
        elif self.soak.last_kill >= self.begin and "Function not implemented" in r["stderr"]:
            return False  # it ended between its launcher and its sandbox: an exec of its own was not answered
        elif r["reason"] not in ("completed", "killed", "sandbox_error"):
            self.soak.fail("%s: %s" % (self.what, r))
        return r["reason"] == "completed"

    def marker(self):
        return "m%x" % self.rng.getrandbits(64)

    def job(self, session):
        marker = self.marker()
        body = {"language": "python", "code": "print(%r)" % marker}
        if self.rng.random() < 0.7:
            body = {"command": "cat", "stdin": marker + "\n"}
        return self.result(self.ask("POST", "/sessions/%s/execute" % session, json=body), marker + "\n")

    def cell(self, session):
        language, marker = self.rng.choice(self.soak.languages), self.marker()
        context = self.sessions[session].get(language)
        if not context:
            answer = self.ask("POST", "/sessions/%s/contexts" % session, json={"language": language})
            if not self.told(answer, 201):
                return False
            context = self.sessions[session][language] = answer.json()["context_id"]
        answer = self.ask("POST", "/sessions/%s/contexts/%s/execute" % (session, context),
                          json={"code": CELLS[language] % marker})
        return self.result(answer, marker + "\n")

    def process(self, session):
        answer = self.ask("POST", "/sessions/%s/processes" % session,
                          json={"command": "read -r x; echo $x", "stdin": True})
        if not self.told(answer, 201):
            return False
        p = answer.json()["process_id"]
        self.accept(p)
        return self.told(self.ask("POST", "/sessions/%s/processes/%s/stdin" % (session, p), data=b"typed\n"), 200)

    def file(self, session):
        data = self.rng.randbytes(self.rng.randrange(200000))
        path = "/sessions/%s/files/d/%d" % (session, self.rng.randrange(8))
        if not self.told(self.ask("PUT", path, data=data), 200):
            return False
        answer = self.ask("GET", path)
        if answer.status_code == 200 and len(answer.content) < int(answer.headers["Content-Length"]):
            raise requests.ConnectionError("a download was broken off")  # requests before 2.32 does not look
        if answer.status_code == 200 and answer.content != data:
            self.soak.fail("a file came back other than it was")
        return self.told(answer, 200)

    def background(self, session):
        answer = self.ask("POST", "/sessions/%s/execute" % session,
                          json={"command": "sleep %.2f" % self.rng.random(), "background": True})
        if not self.told(answer, 202):
            return False
        self.accept(answer.json()["execution_id"])
        return True

    def leaving(self, session):
        """A client that goes in the middle of its stream, or before its answer."""
        body = {"command": "for i in 1 2 3 4 5; do echo $i; sleep 0.02; done", "stream": True}
        with requests.Session() as other:
            other.trust_env = False
            answer = self.service.request("POST", "/sessions/%s/execute" % session, key=self.soak.key, session=other,
                                          json=body, stream=True, timeout=120)
            is_there = self.told(answer, 200)
            if is_there:
                next(answer.iter_content(64), None)
                with self.soak.lock:
                    self.soak.counts["leaving"] += 1
            answer.close()
        return is_there

    def pause(self, session):
        if not self.told(self.ask("POST", "/sessions/%s/pause" % session), 200):
            return False
        return self.told(self.ask("POST", "/sessions/%s/resume" % session), 200)

    def snapshot(self, session):
        answer = self.ask("POST", "/sessions/%s/snapshots" % session)
        if not self.told(answer, 201):
            return False
        self.told(self.ask("DELETE", "/snapshots/" + answer.json()["snapshot_id"]), 200, 204)
        return True

    def end(self, session):
        self.told(self.ask("DELETE", "/sessions/" + session), 202)
        self.sessions.pop(session)

    def leave(self):
        self.connection.close()
