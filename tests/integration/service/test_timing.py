"""Where the time of a run went, over HTTP: `timing` of the result and the header Server-Timing say the same."""
import re
import time

from service import Service
from test_sessions import Session


def of_header(answer):
    parts = re.findall(r"(\w+);dur=([0-9]+\.[0-9]{3})", answer.headers["Server-Timing"])
    assert ", ".join("%s;dur=%s" % p for p in parts) == answer.headers["Server-Timing"]
    return {name + "_ms": float(ms) for name, ms in parts}


def test_result_header_and_stored_result_say_the_same_and_a_run_that_waited_says_so():
    with Service({"rate_limiting": {"enabled": False, "global": {"max_concurrent_executions": 1}}}) as s:
        answer = s.execute("sleep 0.2", "bash")
        timing = answer.json()["timing"]
        assert of_header(answer) == timing and timing["start_ms"] + \
            timing["run_ms"] >= 200 and timing["scan_ms"] > 0, timing
        assert sum(timing.values()) <= answer.elapsed.total_seconds() * 1000, timing
        assert s.execution(answer.json()["execution_id"])["result"]["timing"] == timing
        gate = s.gate()
        first = s.submit(gate.wait + "true", "bash", volumes=gate.volumes)
        while s.execution(first)["state"] != "running":
            pass
        second = s.submit("true", "bash")
        began = time.monotonic()
        assert s.execution(second)["state"] == "queued"
        least = 1000 * (time.monotonic() - began)
        gate.open()
        waited = s.finished(second)["result"]["timing"]
        assert waited["queue_ms"] >= least, (waited, least)
        refused = s.execute("import os", risk_level="high")
        assert refused.status_code == 403 and of_header(refused)["decide_ms"] > 0 and of_header(refused)["run_ms"] == 0
        # a context waits most of its life, and holds no turn; its cells wait for theirs
        session = Session(s, agent_id="patient")
        python = {"language": "python"}
        for context in [session.ask("POST", "/contexts", json=python).json()["context_id"] for _ in range(2)]:
            answer = session.ask("POST", "/contexts/%s/execute" % context, json={"code": "1 + 1"})
            assert answer.json()["results"][-1]["text/plain"] == "2", answer.text
        assert s.execute("true", "bash").json()["reason"] == "completed"
