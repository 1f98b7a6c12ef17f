"""/metrics of a service: what happened is in it, and it is exactly in the format."""
import concurrent.futures
import contextlib
import re
import sqlite3
import time

import pytest

import exposition
from helpers import ROOT, poll


@pytest.fixture(scope="module")
def families(service):
    def ask():
        answer = service.outside("GET", "/metrics")
        assert (answer.status_code == 200
                and answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
        return exposition.families(answer.text)
    return ask


def count(families, name, **labels):
    return sum(v for s, l, v in families()["sandbox_agent_" + name].samples if not s and labels.items() <= l.items())


def difference(families, act, name, **labels):
    before = count(families, name, **labels)
    act()
    return count(families, name, **labels) - before


def test_a_service_shows_what_the_document_lists_but_what_it_cannot_know(families):
    listed = set(re.findall(r"^\| `((?:sandbox_agent|process)_\w+)` \|", (ROOT / "docs/metrics.md").read_text(), re.M))
    shown = set(families())
    assert shown <= listed and listed - shown <= {
        "sandbox_agent_warm_waiting", "sandbox_agent_warm_claims_total", "sandbox_agent_warm_lost_total",
        "sandbox_agent_key_expiry_timestamp_seconds",
        "sandbox_agent_audit_verified_timestamp_seconds", "sandbox_agent_audit_problems",
        # of a fleet (test_fleet_witness.py)
        "sandbox_agent_audit_witnessed_timestamp_seconds", "sandbox_agent_fleet_cosigned_timestamp_seconds",
        "sandbox_agent_fleet_audits_refused", "sandbox_agent_fleet_policies_differ",
        # of a content store (test_content.py)
        "sandbox_agent_content_waiting", "sandbox_agent_content_written_total", "sandbox_agent_content_retries_total",
        "sandbox_agent_content_dropped_total"}


def test_runs_are_counted_by_how_they_ended(service, families):
    kind = {"level": "medium", "language": "bash", "backend": "native"}
    assert difference(families, lambda: service.run("true", "bash", risk_level="medium"), "executions_total",
                      reason="completed", **kind) == 1
    assert difference(families, lambda: service.run("exit 3", "bash", risk_level="medium"), "executions_total",
                      reason="error", **kind) == 1
    assert difference(families, lambda: service.run("sleep 9", "bash", risk_level="medium", limits={"timeout": 0.2}),
                      "executions_total", reason="timeout",
                      **kind) == 1
    found = families()
    assert found["sandbox_agent_execution_duration_seconds"].value("_count", language="bash") >= 3
    assert 0 < found["sandbox_agent_startup_seconds"].value("_sum", language="bash") < 60
    assert found["sandbox_agent_peak_memory_bytes"].value("_count") >= 1
    assert found["sandbox_agent_audit_lines_total"].value() >= 3 and found["sandbox_agent_launcher_up"].value() == 1


def test_many_at_once_are_all_counted(service, families):
    def crowd():
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            for answer in list(pool.map(lambda i: service.execute("true", "bash", session=service.connection(),
                                                                  risk_level="medium"), range(24))):
                assert answer.status_code == 200
    assert difference(families, crowd, "executions_total", reason="completed", language="bash") == 24
    assert not poll(lambda: count(families, "executions_running"), 60)


def test_a_run_that_lasts_is_shown_while_it_does(service, families):
    made = service.submit("sleep 600", "bash", risk_level="medium")
    poll(lambda: not count(families, "executions_running"), 60)
    assert count(families, "executions_running") == 1
    service.request("DELETE", "/executions/" + made)
    service.finished(made)
    assert not poll(lambda: count(families, "executions_running"), 60)


def test_refusals_are_counted_by_rule(service, families):
    service.request("POST", "/agents/bad-one/ban", json={"reason": "test"})
    refused = []
    assert difference(families, lambda: refused.append(service.execute("true", "bash", agent_id="bad-one")),
                      "refusals_total", rule="banned") == 1
    assert refused[0].status_code == 403


@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "slip"}], ids=["plain", "idempotent"])
def test_a_request_that_could_not_be_meant_is_no_execution_that_failed(service, families, headers):
    def slip():
        assert service.execute("true", "bash", limits={"timeout": "much"}, headers=headers).status_code == 422
    before = service.request("GET", "/executions?limit=1&reason=sandbox_error").json()["executions"]
    assert difference(families, slip, "executions_total", reason="sandbox_error") == 0
    assert headers or service.request("GET", "/executions?limit=1&reason=sandbox_error").json()["executions"] == before


def test_requests_are_counted_by_method_and_code(service, families):
    assert difference(families, lambda: service.outside("GET", "/nowhere"), "http_requests_total", method="GET",
                      code="404") == 1
    assert difference(families, lambda: service.request("GET", "/agents", key=None), "http_requests_total",
                      method="GET", code="401") == 1


def test_agents_are_counted_by_standing_and_trust_and_never_named(service, make_service):
    s = make_service({"monitoring": {"metrics": {"collect_interval": 1}}, "rate_limiting": {"enabled": False}})
    for name in ("agent-of-the-test-1", "agent-of-the-test-2", "agent-of-the-test-3"):
        s.run("true", "bash", agent_id=name)
    assert s.request("POST", "/agents/agent-of-the-test-3/ban", json={"reason": "test"}).status_code == 200
    assert s.request("PATCH", "/agents/agent-of-the-test-2", json={"trust": 0.95, "reason": "test"}).status_code == 200

    def now():
        text = s.outside("GET", "/metrics").text
        assert "agent-of-the-test" not in text
        found = exposition.families(text)
        trust = {l["range"]: int(v) for _, l, v in found["sandbox_agent_agents_by_trust"].samples if v}
        return {l["standing"]: int(v) for _, l, v in found["sandbox_agent_agents"].samples}, trust
    assert not poll(lambda: now()[0] != {"good": 2, "quarantined": 0, "banned": 1}, 60), now()
    trust = now()[1]
    assert trust.pop("0.9-1.0") == 1 and sum(trust.values()) == 2


def test_only_chosen_metrics_are_shown_and_unknown_names_are_told(make_service):
    s = make_service({"monitoring": {"metrics": {"metrics": ["executions_total", "sandbox_agent_launcher_up",
                                                             "executions_totl"]}}})
    assert set(exposition.families(s.outside("GET", "/metrics").text)) == {"sandbox_agent_executions_total",
                                                                           "sandbox_agent_launcher_up"}
    s.wait_log("no metric executions_totl .did you mean executions_total")


def test_metrics_can_be_switched_off(make_service):
    s = make_service({"monitoring": {"metrics": {"enabled": False}}})
    assert s.outside("GET", "/metrics").status_code == 404


# ---- what alerts are made of ----

def test_runs_near_a_limit_are_counted_and_others_are_not(service, families):
    def quick():
        service.run("true", "bash", risk_level="medium")

    def slow():
        service.run("sleep 9", "bash", risk_level="medium", limits={"timeout": 0.2})
    assert difference(families, quick, "executions_near_limit_total") == 0
    assert difference(families, slow, "executions_near_limit_total", limit="time") == 1


def test_refused_requests_are_attempts_too(make_service):
    s = make_service({"rate_limiting": {"per_agent": {"medium_risk": {"max_executions_per_hour": 3}}}})
    codes = [s.execute("true", "bash", agent_id="keen").status_code for _ in range(7)]
    assert codes.count(429) == 4
    s.execute("true", "bash", agent_id="calm")
    busiest = s.request("GET", "/attempts").json()["agents"]
    assert busiest[0] == {"agent_id": "keen", "attempts": 7} and {"agent_id": "calm", "attempts": 1} in busiest
    found = exposition.families(s.outside("GET", "/metrics").text)
    assert found["sandbox_agent_agent_attempts_max"].value() == 7
    assert (s.request("GET", "/attempts?limit=0").status_code in (400, 422)
            and s.request("GET", "/attempts?x=1").status_code == 400)
    assert s.request("GET", "/attempts", key=s.new_key("run")).status_code == 403


def test_disks_and_the_next_expiry_are_shown(service, families):
    found = families()
    for place in ("state", "log"):
        free = found["sandbox_agent_disk_free_bytes"].value(place=place)
        assert 0 < free <= found["sandbox_agent_disk_size_bytes"].value(place=place)
    assert "sandbox_agent_key_expiry_timestamp_seconds" not in found
    before = time.time()
    service.new_key("read", expires_in_seconds=7200)
    service.new_key("read", expires_in_seconds=3600)
    shown = families()["sandbox_agent_key_expiry_timestamp_seconds"].value()
    assert before + 3590 <= shown <= time.time() + 3610


def test_a_changed_line_of_the_audit_is_found_without_a_person_who_asks(make_service):
    s = make_service({"security": {"audit_verify_interval": "1s"}})

    def problems():
        found = exposition.families(s.outside("GET", "/metrics").text)
        return found["sandbox_agent_audit_problems"].value() if "sandbox_agent_audit_problems" in found else None
    s.run("true", "bash", agent_id="honest")
    assert not poll(lambda: problems() != 0, 60)
    audit = s.log_dir / "audit.jsonl"
    text = audit.read_bytes()
    assert b"honest" in text
    with open(audit, "r+b") as f:
        f.seek(text.index(b"honest"))
        f.write(b"h0nest")
    assert not poll(lambda: not problems(), 60)
    assert "the audit is not what was written" in s.logs and "audit verify" in s.logs


def failures(s, name):
    return exposition.families(s.outside("GET", "/metrics").text)["sandbox_agent_%s_failures_total" % name].value()


def test_an_audit_that_is_not_written_is_counted(make_service):
    s = make_service({})
    assert s.execute("true", "bash").status_code == 200 and failures(s, "audit") == 0
    (s.state_dir / "audit.key").chmod(0o644)  # which stops the next line
    assert s.execute("true", "bash").status_code >= 500
    assert failures(s, "audit") == 1 and failures(s, "store") == 0


def test_a_store_that_fails_is_counted(make_service):
    s = make_service({})
    assert s.execute("true", "bash").status_code == 200 and failures(s, "store") == 0
    with contextlib.closing(sqlite3.connect(s.state_dir / "state.db", isolation_level=None)) as other:
        other.execute("ALTER TABLE executions RENAME TO gone")
        assert s.execute("true", "bash").status_code >= 500  # its row is written with its booking, or nothing runs
        assert not poll(lambda: not failures(s, "store"), 60)
        other.execute("ALTER TABLE gone RENAME TO executions")
        other.execute("ALTER TABLE agents RENAME TO gone")
        before = failures(s, "store")
        assert s.execute("true", "bash").status_code >= 500  # who may run cannot be known
        assert failures(s, "store") > before
