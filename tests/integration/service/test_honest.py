"""A busy agent that does no wrong, whose clients end things at any moment: nothing is held against it.

    HONEST_SEED=5 HONEST_ACTS=500 pytest tests/integration/service/test_honest.py       for longer
"""
import collections
import json
import os
import random
import threading
import time

import helpers
import load
import requests
from service import Service

SEED, ACTS, WORKERS = int(os.environ.get("HONEST_SEED", "29")), int(os.environ.get("HONEST_ACTS", "24")), 4
CONFIG = helpers.merged(load.UNLIMITED, {"endpoints": {"api": {"max_sessions": 100}}, "warm": {"enabled": True}})
LEVELS = ("low", "medium", "high")
COMMANDS = {
    "low": ["seq 200 | sort -rn | head -3", "sleep 9 & kill -9 $!; wait; true", "(sleep 30 &); true",
            "setsid sleep 30 &", "seq 6 | xargs -P3 -n1 sh -c 'sleep 0.01'",
            "python3 -c 'import os; os.fork() or os._exit(0); os.wait()'",
            "find / -xdev -name '*.conf' 2>/dev/null | wc -l", "timeout 0.1 sleep 5; true"],
    "medium": ["cat /etc/passwd | wc -l", "(sleep 30 &); true", "python3 -c 'print(1)'", "sleep 0.05 & wait"],
}
SLOW = {"python": "for i in range(30000000): pass",
        "node": "await new Promise(r => setTimeout(r, 900))", "bash": "sleep 9"}
QUICK = {"python": "x = 1\nx", "node": "let a = 3; a", "bash": "(sleep 30 &); echo x"}
BUSY = {404, 409, 429, 503}  # what was asked for has ended, is in use, or is paused
Told = collections.namedtuple("Told", "what reasons")


class Agent(threading.Thread):
    def __init__(self, service, index):
        super().__init__(daemon=True)
        self.service, self.rng, self.name = service, random.Random(SEED * 1000 + index), "honest-%d" % index
        self.key, self.sessions, self.told, self.wrong, self.helpers = service.override(), {}, {}, [], []
        self.local = threading.local()

    def run(self):
        try:
            for _ in range(ACTS):
                self.act()
        except Exception as e:  # told by the test
            self.wrong.append(repr(e))
        for t in self.helpers:
            t.join(60)
        for s in self.sessions:
            self.ask("DELETE", "/sessions/" + s)

    def ask(self, method, path, *expected, **more):
        """-> its body as JSON; None: it was refused for what another client did"""
        if not hasattr(self.local, "connection"):
            self.local.connection = self.service.connection()
        answer = self.service.request(method, path, key=self.key, session=self.local.connection, timeout=90, **more)
        if answer.status_code not in {200, 201, 202, *expected} | BUSY:
            self.wrong.append("%s %s: %d %s" % (method, path, answer.status_code, answer.text[:300]))
        return answer.json() if answer.status_code in (200, 201, 202) and answer.text[:1] == "{" else None

    def job(self, path, what, *reasons, **body):
        said = self.ask("POST", path, json=body)
        if said:
            self.told[said.get("execution_id") or said["process_id"]] = Told(what, reasons)
        return said

    def aside(self, do, *args):
        self.helpers.append(threading.Thread(target=do, args=args, daemon=True))
        self.helpers[-1].start()

    def act(self):
        if len(self.sessions) < 3:
            level = LEVELS[len(self.sessions)] if not self.told else self.rng.choice(LEVELS)
            made = self.ask("POST", "/sessions", json={"agent_id": self.name, "risk_level": level, "ttl": 600})
            self.told[made["session_id"]] = Told("session", ("killed",))
            self.sessions[made["session_id"]] = level
            return
        session = self.rng.choice(sorted(self.sessions))
        level = self.sessions[session]
        acts = [self.cell] * 3 + [self.pause, self.end, self.plain]
        if level != "high":
            acts += [self.command] * 4 + [self.cancelled] * 2 + [self.typed, self.files, self.port, self.left]
        do = self.rng.choice(acts)
        if self.rng.random() < 0.4:
            self.aside(do, "/sessions/" + session, level, self.rng.random())
        else:
            do("/sessions/" + session, level, self.rng.random())

    # each with a number from 0 to 1: threads draw none of their own

    def command(self, session, level, r):
        command = COMMANDS[level][int(r * len(COMMANDS[level]))]
        self.job(session + "/execute", command, "completed", "killed", command=command)

    def cancelled(self, session, _level, r):
        said = self.job(session + "/execute", "cancelled", "killed", command="sleep 20 & sleep 20", background=True)
        if said:
            time.sleep(r * 0.1)
            self.ask("DELETE", "/executions/" + said["execution_id"])

    def typed(self, session, _level, r):
        said = self.job(session + "/processes", "process", "killed", "signal", command="cat", stdin=True)
        if said and r < 0.5:
            self.ask("POST", session + "/processes/%s/signal" % said["process_id"], json={"signal": "SIGTERM"})
        elif said:
            self.ask("DELETE", session + "/processes/" + said["process_id"])

    def cell(self, session, level, r):
        language = "python" if level == "high" else sorted(QUICK)[int(r * 3)]
        made = self.ask("POST", session + "/contexts", json={"language": language})
        if not made:
            return
        context = session + "/contexts/" + made["context_id"]
        self.job(context + "/execute", "cell", "completed", "killed", code=QUICK[language])
        if language == "python" and level != "high":
            self.ask("POST", context + "/checkpoints", 422)
            self.ask("POST", context + "/undo", 422, json={})
        slow = threading.Thread(target=self.job, args=(context + "/execute", "slow", "completed", "killed", "error"),
                                kwargs={"code": SLOW[language]})
        slow.start()
        time.sleep(r * 0.05)
        if int(r * 1000) % 2:
            self.ask("POST", context + "/restart")
        self.ask("DELETE", context)
        slow.join()

    def files(self, session, _level, r):
        self.ask("PUT", session + "/files/.ssh/key", data=b"x" * int(r * 100000))
        self.ask("GET", session + "/files/?list&depth=2")
        self.ask("DELETE", session + "/files/.ssh")

    def port(self, session, _level, r):
        for n in range(3):
            self.ask("GET", session + "/ports/%d/" % (8000 + n + int(r * 100)), 502)

    def left(self, session, _level, r):
        with requests.Session() as other:
            other.trust_env = False
            try:
                self.service.request("POST", session + "/execute", key=self.key, session=other, timeout=0.02 + r / 5,
                                     json={"command": "for i in 1 2 3 4 5; do sleep 0.05; done"})
            except requests.RequestException:
                pass

    def pause(self, session, _level, r):
        self.aside(self.ask, "POST", session + "/resume")
        self.ask("POST", session + "/pause")
        time.sleep(r * 0.05)
        self.ask("POST", session + "/resume")

    def end(self, session, level, r):
        if level != "high":
            self.aside(self.command, session, level, r)
        time.sleep(r * 0.02)
        self.sessions.pop(session.rpartition("/")[2], None)
        self.ask("DELETE", session)

    def plain(self, _session, level, _r):
        self.job("/execute", "plain", "completed", language="python", code="print(1)", risk_level=level,
                 agent_id=self.name)


def test_nothing_is_held_against_an_agent_for_what_its_clients_and_the_service_do():
    with Service(CONFIG) as service:
        agents = [Agent(service, i) for i in range(WORKERS)]
        for a in agents:
            a.start()
        for a in agents:
            a.join(120)
        assert not [w for a in agents for w in a.wrong], [a.wrong[:3] for a in agents]
        assert not helpers.poll(lambda: [r["id"] for r in load.store_rows(service) if not r["finished_ms"]], 60)
        told = {i: t for a in agents for i, t in a.told.items()}
        for row in load.store_rows(service):
            result = service.execution(row["id"])["result"]
            what = told.get(row["id"], Told("of a client that left, or a kernel", ()))
            assert not result["violations"] and not result["kill_switch"], (what, result)
            assert not what.reasons or result["reason"] in what.reasons, (what, result)
        assert len(told) > WORKERS * ACTS / 4
        lines = map(json.dumps, load.audit_lines(service))
        new = [line for line in lines if "first time ever: runs /code" in line]
        assert not new, new[:3]
        for a in agents:
            shown = service.request("GET", "/agents/" + a.name).json()
            sources = {s["source"] for s in shown["why"]["sums"]}
            assert not shown["violations"] and sources <= {"work", "repaid", "errors", "recovery"}, shown
