"""ledger.py - sandbox-ledger spoken to from Python: src/store/message.c's tables once more, by hand.

Values are unsigned 64-bit numbers and strings with a length in front; see src/base/pack.h.
"""
import os
import pathlib
import socket
import struct
import subprocess
import time

HOUR = 3600 * 1000
DAY = 24 * HOUR
REASONS = ("completed", "error", "signal", "timeout", "oom", "pids_limit", "output_limit", "killed", "policy_denied",
           "sandbox_error")
OUTCOMES = ("ok", "retry", "standing", "limit", "replay", "family", "known_bad", "shape")
LIMITS = ("none", "max_executions_per_hour", "max_executions_per_day", "max_cpu_time_per_hour", "cooldown_period",
          "global.max_concurrent_executions", "global.max_executions_per_hour", "max_jobs_per_hour",
          "per_key.max_new_agents_per_hour",
          *("budgets.%s.%s_per_day" % (of, part) for of in ("per_agent", "per_key")
            for part in ("max_executions", "max_cpu_time", "max_memory", "max_bytes")))
STANDINGS = ("good", "quarantined", "banned")
SEVERITIES = ("info", "low", "medium", "high", "critical")
VERBS = ("trust", "quarantine", "release", "ban", "key")

# n: number, s: string; a list: a counted array
KEY = "s:id s:key_id n:now_ms n:window_ms"
NUMBER = "n:value"
AGENT = ("s:id n:is_known n:trust n:trust_at_ms n:standing s:standing_reason s:standing_by n:standing_since_ms "
         "n:first_seen_ms "
         "n:last_run_ms n:runs n:successes n:failures n:violations n:refusals n:cpu_ms s:public_key n:errors "
         "n:attempts n:start n:debt "
         "n:level n:last_offence_ms n:quarantines n:shapes n:hours n:first_work_ms n:is_vouched s:key_id "
         "n:bad_relatives")
LIMIT_RULES = ("n:runs_per_hour n:runs_per_day n:cpu_ms_per_hour n:cooldown_ms n:global_concurrent "
               "n:global_runs_per_hour")
BUDGETS = " ".join("n:%s_%s" % (of, part) for of in ("agent", "key")
                   for part in ("runs", "cpu_us", "memory_mib_ms", "bytes"))
RESERVE = ("s:execution_id s:agent_id s:code_hash s:language n:level n:now_ms n:owner_pid n:owner_start n:trust_seen "
           "n:initial_trust %s n:new_agents_per_hour %s n:jobs_per_hour s:nonce s:shape s:tree n:size n:level_held "
           "s:key_id "
           "n:is_nameless n:is_shape_known n:family_limit n:family_memory_ms" % (LIMIT_RULES, BUDGETS))
RESERVE_REPLY = ("n:outcome n:limit n:allowed n:used n:wait_ms %s n:nearest_share s:nearest_limit s:known_agent "
                 "s:known_type n:known_ms" % AGENT.replace("s:id", "s:agent_id"))
VIOLATION = "s:type s:detail n:at_ms n:severity"
RULES = ("n:keeps_trust n:initial n:min n:max n:success n:failure n:violation n:gain_per_hour n:gain_per_code "
         "n:drift_per_day "
         "n:drift_after_ms n:error n:attempt n:error_rate n:error_is_failure n:gain_per_shape n:recover_per_hour "
         "n:memory_ms "
         "n:family_start n:work_size n:quarantine_on_violations n:violation_window_ms n:ban_on_severe")
USE = "n:cpu_us n:memory_mib_ms n:bytes_in n:bytes_out"
SETTLE = ("s:execution_id n:reason n:was_stopped n:awaits_audit n:now_ms n:duration_ms n:peak_memory_bytes %s "
          "a:violations %s n:failure_window_ms n:volume_window_ms n:volume_enough n:refusal_window_ms "
          "n:has_bad_finding s:habits "
          "n:baseline_runs n:has_uncounted" % (USE, RULES))
SETTLE_REPLY = ("n:was_settled n:trust_before n:trust_after n:standing_before n:standing_after s:standing_reason "
                "n:window_runs "
                "n:window_failures n:volume_runs n:window_refusals s:first_times")
REFUSAL = ("s:execution_id s:agent_id s:rule n:level n:now_ms n:initial_trust a:violations " + RULES
           + " n:refusal_window_ms n:is_restriction s:key_id")
STEER = "n:verb n:may_create s:agent_id s:reason s:by s:public_key n:trust n:initial_trust n:now_ms"
RECOVERED = ("s:execution_id s:agent_id n:level n:reason n:was_settled n:started_ms n:ended_ms n:trust_before "
             "n:trust_after")
COUNTS = "n:runs_hour n:runs_day n:jobs_hour n:cpu_ms_hour " + " ".join(
    "n:%s_%s" % (of, part) for of in ("agent", "key") for part in ("runs", "cpu", "memory", "bytes"))
CURSOR = "n:agent n:hour s:after_key_id"
FAILURE = "n:code n:blame s:step s:text s:remedy"
KEY_ROW = "s:id s:name s:hash n:role s:agents n:levels n:created_ms n:expires_ms n:allow_risk_override"
KEY_TOLD = ("s:id s:name n:role s:agents n:levels n:created_ms n:expires_ms n:revoked_ms n:last_used_ms "
            "n:allow_risk_override")
ELEMENTS = {"keys": KEY_TOLD, "violations": VIOLATION, "agents": AGENT,
            "points": "n:at_ms n:trust s:execution_id n:event", "runs": RECOVERED,
            "released": "s:agent_id s:reason", "sums": "n:source n:plus n:minus n:times",
            "offences": "n:at_ms s:type s:detail s:execution_id",
            "rows": "n:at_ms s:agent_id s:key_id n:runs n:unmeasured " + USE,
            "habits": "s:what n:times n:last_ms"}
FORMS = {"agent": (1, KEY, AGENT), "agents": (2, KEY, "n:is_cut a:agents"), "history": (3, KEY, "a:points"),
         "reserve": (4, RESERVE, RESERVE_REPLY), "settle": (5, SETTLE, SETTLE_REPLY),
         "refuse": (6, REFUSAL, SETTLE_REPLY),
         "steer": (7, STEER, AGENT), "recover": (8, KEY, "a:runs a:released"), "audited": (9, KEY, NUMBER),
         "prune": (10, KEY, NUMBER),
         "once": (11, KEY, NUMBER), "key-add": (12, KEY_ROW, NUMBER), "keys": (13, KEY, "n:is_cut a:keys"),
         "key-revoke": (14, KEY, NUMBER),
         "why": (15, KEY, "a:sums a:offences n:relatives n:bad_relatives n:learned a:habits"),
         "counts": (17, RESERVE, COUNTS),
         "usage": (16, "s:agent_id s:key_id n:since_ms n:until_ms n:period n:by_agent n:by_key " + CURSOR,
                   "a:rows n:is_cut " + CURSOR)}
# the configuration's defaults
TRUST = {"keeps_trust": 1, "initial": 500, "min": 0, "max": 1000, "success": 50, "failure": 100, "violation": 300,
         "gain_per_hour": 100,
         "gain_per_code": 50, "drift_per_day": 0, "drift_after_ms": DAY, "quarantine_on_violations": 3,
         "violation_window_ms": DAY, "ban_on_severe": 1, "error": 10, "attempt": 200, "error_rate": 300,
         "gain_per_shape": 50,
         "memory_ms": DAY, "family_start": 400, "work_size": 20,
         "error_is_failure": 1}


class Refused(Exception):
    """What the ledger answered instead."""

    def __init__(self, failure):
        super().__init__(failure["text"])
        self.__dict__.update(failure)


def pack(form, values):
    out = b""
    for kind, name in (word.split(":") for word in form.split()):
        v = values.get(name)
        if kind == "n":
            out += struct.pack("=Q", int(v or 0))
        elif kind == "a":
            out += struct.pack("=Q", len(v or [])) + b"".join(pack(ELEMENTS[name], e) for e in v or [])
        elif v is None:
            out += struct.pack("=I", 0)
        else:
            v = v.encode() + b"\0"
            out += struct.pack("=I", len(v)) + v
    return out


def unpack(form, data, at=0):
    values = {}
    for kind, name in (word.split(":") for word in form.split()):
        if kind == "s":
            n, = struct.unpack_from("=I", data, at)
            values[name] = data[at + 4:at + 3 + n].decode() if n else None
            at += 4 + n
            continue
        values[name], = struct.unpack_from("=Q", data, at)
        at += 8
        if kind == "a":
            elements = []
            for _ in range(values[name]):
                e, at = unpack(ELEMENTS[name], data, at)
                elements.append(e)
            values[name] = elements
    return values, at


def start_time(pid):
    """Field 22 of /proc/PID/stat."""
    return int(pathlib.Path("/proc/%d/stat" % pid).read_text().rsplit(")", 1)[1].split()[19])


def now_ms():
    return time.time_ns() // 1000000


class Ledger:
    """sandbox-ledger on a database, as sandbox-agent would have it."""

    def __init__(self, program, database):
        self.sock, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.sock.settimeout(60)

        def at_three():
            os.dup2(other.fileno(), 3)
            os.set_inheritable(3, True)
        self.process = subprocess.Popen([str(program), str(database)], preexec_fn=at_three, close_fds=False, env={},
                                        executable=str(program))
        other.close()
        self.me = {"owner_pid": os.getpid(), "owner_start": start_time(os.getpid())}
        self.counter = 0

    def close(self):
        self.sock.close()
        return self.process.wait(30)

    __enter__ = lambda self: self

    def __exit__(self, *ignored):
        self.close()

    def raw(self, message):
        self.sock.send(message)
        return self.sock.recv(1 << 18)

    def ask(self, request, **values):
        number, form, reply = FORMS[request]
        data = self.raw(struct.pack("=Q", number) + pack(form, values))
        assert data, "the ledger is gone"
        failed, = struct.unpack_from("=Q", data)
        got, end = unpack(FAILURE if failed else reply, data, 8)
        assert end == len(data), "bytes are left: %r" % data[end:]
        if failed:
            raise Refused(got)
        return got

    # -- with what most tests want --

    def agent(self, agent_id):
        return self.ask("agent", id=agent_id)

    def new_id(self):
        self.counter += 1
        return "exec-%d-%d-%d" % (os.getpid(), self.process.pid, self.counter)

    def reserve(self, agent_id, **more):
        """One try with these values. -> (execution id, reply)"""
        values = {"execution_id": self.new_id(), "agent_id": agent_id, "code_hash": "", "language": "python",
                  "level": 1, "now_ms": now_ms(),
                  "trust_seen": 500, "initial_trust": 500, **self.me, **more}
        return values["execution_id"], self.ask("reserve", **values)

    def book(self, agent_id, **more):
        """Asks for the trust and tries until nobody came between, as sandbox-agent does. -> (execution id, reply)"""
        while True:
            known = self.agent(agent_id)
            execution, reply = self.reserve(agent_id,
                                            **{"trust_seen": known["trust"] if known["is_known"] else 500, **more})
            if OUTCOMES[reply["outcome"]] != "retry":
                return execution, reply

    def settle(self, execution_id, reason="completed", violations=(), **more):
        rows = [v if isinstance(v, dict) else {"type": v, "detail": "", "severity": 2} for v in violations]
        return self.ask("settle", **{"execution_id": execution_id, "reason": REASONS.index(reason), "now_ms": now_ms(),
                                     "violations": rows,
                                     **TRUST, **more})

    def run(self, agent_id, reason="completed", violations=(), at=None, **more):
        """Reserved and settled. -> the settlement"""
        when = {"now_ms": at} if at else {}
        execution, reply = self.book(agent_id, **when,
                                     **{k: more.pop(k) for k in ("code_hash", "level", "language") if k in more})
        assert OUTCOMES[reply["outcome"]] == "ok", reply
        return self.settle(execution, reason, violations, **when, **more)

    def refuse(self, agent_id, violations=(), **more):
        rows = [v if isinstance(v, dict) else {"type": v, "detail": "", "severity": 2} for v in violations]
        return self.ask("refuse", **{"execution_id": self.new_id(), "agent_id": agent_id, "rule": "scan", "level": 1,
                                     "now_ms": now_ms(),
                                     "initial_trust": 500, "violations": rows, **TRUST, **more})

    def steer(self, verb, agent_id, **more):
        return self.ask("steer", **{"verb": VERBS.index(verb), "agent_id": agent_id, "reason": "", "by": "test",
                                    "now_ms": now_ms(),
                                    "initial_trust": 500, **more})
