#!/usr/bin/python3
"""Writes the corpus of fuzz_ledger: requests and replies of today, raw, and edits of each request.

    make_ledger_corpus.py DIRECTORY     run again when the messages have changed and raw ones should follow
"""
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration"))
from ledger import FORMS, TRUST, pack  # noqa: E402

KEY = "0123456789abcdef" * 4
REQUESTS = {
    "agent": {"id": "a1"}, "agents": {}, "history": {"id": "a/b@c:1"}, "recover": {"now_ms": 5},
    "audited": {"id": "exec-1"},
    "prune": {"now_ms": 7}, "once": {"id": "alert x", "now_ms": 1, "window_ms": 3600000},
    "reserve": {"execution_id": "exec-1", "agent_id": "a1", "code_hash": KEY, "language": "python", "level": 2,
                "now_ms": 1700000000000,
                "owner_pid": 4711, "owner_start": 12345, "trust_seen": 500, "initial_trust": 500, "runs_per_hour": 20,
                "cpu_ms_per_hour": 180000, "cooldown_ms": 300000, "global_concurrent": 50, "nonce": "n1"},
    "settle": {"execution_id": "exec-1", "reason": 4, "now_ms": 1700000000000, "cpu_ms": 12, "violations":
               [{"type": "memory_limit", "detail": "256m", "at_ms": 3, "severity": 1}] * 16, **TRUST,
               "failure_window_ms": 3600000},
    "refuse": {"execution_id": "exec-2", "agent_id": "a1", "rule": "scan", "violations":
               [{"type": "blocked_module", "detail": "os", "severity": 2}], **TRUST},
    "steer": {"verb": 4, "may_create": 1, "agent_id": "a1", "reason": "their key", "by": "uid 0", "public_key": KEY,
              "now_ms": 9},
}
ACCESS = {"id": "key-0123456789ab", "name": "ci", "hash": KEY, "role": 0, "agents": "a1\na2", "levels": 3,
          "created_ms": 5, "expires_ms": 6}
REQUESTS["counts"] = REQUESTS["reserve"]
REQUESTS.update({"why": {"id": "a1"},
                 "usage": {"agent_id": "a1", "until_ms": 9, "period": 1, "by_agent": 1, "after_key_id": ""}})
REQUESTS.update({"key-add": ACCESS, "keys": {"id": "key-0123456789ab"}, "key-revoke": {"id": "ci", "now_ms": 7}})
AGENT = {"id": "a1", "agent_id": "a1", "is_known": 1, "trust": 550, "standing": 1, "standing_reason": "3 violations",
         "standing_by": "policy", "runs": 3, "public_key": KEY}
REPLIES = {
    "agent": AGENT, "agents": {"is_cut": 1, "agents": [AGENT] * 3},
    "history": {"points": [{"at_ms": i, "trust": 500 + i} for i in range(5)]},
    "reserve": {**AGENT, "outcome": 3, "limit": 1, "allowed": 20, "used": 20, "wait_ms": 77, "nearest_limit": "x"},
    "counts": {"runs_hour": 3, "cpu_ms_hour": 7, "key_bytes": 2**40},
    "settle": {"was_settled": 1, "trust_before": 500, "trust_after": 400, "standing_reason": ""},
    "refuse": {"standing_reason": ""},
    "steer": AGENT, "recover": {"runs": [{"execution_id": "e", "agent_id": "a", "level": 2, "reason": 9}] * 2},
    "key-add": {}, "keys": {"is_cut": 1, "keys": [ACCESS] * 2}, "key-revoke": {},
    "why": {"sums": [{"source": 1, "plus": 3, "times": 2}], "offences": [{"at_ms": 1, "type": "t", "detail": "d",
            "execution_id": "exec-1"}] * 2, "habits": [{"what": "starts /bin/ls", "times": 3, "last_ms": 4}]},
    "usage": {"rows": [{"at_ms": 1, "agent_id": "a1", "key_id": "", "runs": 2, "cpu_us": 3}] * 2, "is_cut": 1,
              "after_key_id": ""},
    "audited": {}, "prune": {"value": 2**63}, "once": {"value": 1},
}


def main():
    place = pathlib.Path(sys.argv[1])
    place.mkdir(parents=True, exist_ok=True)
    for name, (number, request, reply) in FORMS.items():
        (place / ("request-" + name)).write_bytes(b"q" + struct.pack("=Q", number) + pack(request, REQUESTS[name]))
        (place / ("reply-" + name)).write_bytes(bytes([number - 1]) + struct.pack("=Q", 0) + pack(reply, REPLIES[name]))
    failure = pack("n:code n:blame s:step s:text s:remedy",
                   {"code": 28, "blame": 1, "step": "STORE", "text": "full", "remedy": "make room"})
    (place / "reply-failure").write_bytes(b"\x04" + struct.pack("=Q", 1) + failure)
    for kind in range(10):
        for n, edits in enumerate([b"", b"\x08\x00\xff", b"\x08\x00\x00\x10\x00\x7f\x20\x00\x01",
                                   b"\x30\x00\xff\x31\x00\xff", b"\x05"]):
            (place / ("edit-%d-%d" % (kind, n))).write_bytes(b"Q" + bytes([kind]) + edits)


main()
