"""monitoring.otlp: what a collector of this test's own gets, and what its absence costs."""
import json
import re
import shutil
import ssl
import subprocess
import threading
import time

import helpers
import pytest
import requests
from receiver import Receiver
from service import USER, Service

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


class Collector(Receiver):
    """By TLS. Answers the first post of each path with 503."""

    def __init__(self, certificate, key):
        self.refused, self.tls = set(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.tls.load_cert_chain(certificate, key)
        super().__init__(self.refuse_first)
        self.url = "https://127.0.0.1:%d" % self.server_port

    def get_request(self):
        sock, address = super().get_request()
        return self.tls.wrap_socket(sock, server_side=True, do_handshake_on_connect=False), address

    def refuse_first(self, handler, number):
        is_first = handler.path not in self.refused
        self.refused.add(handler.path)
        self.say(handler, 503 if is_first else 200)

    def bodies(self, path):
        with self.lock:
            return [json.loads(b) for p, h, b in self.posts if p == path][1:]  # that one comes again

    def spans(self):
        return [s for b in self.bodies("/v1/traces") for r in b["resourceSpans"] for c in r["scopeSpans"]
                for s in c["spans"]]


def texts(items):
    return {a["key"]: next(iter(a["value"].values())) for a in items}


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    place = tmp_path_factory.mktemp("tls")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                    "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
                    "-keyout", place / "key", "-out", place / "certificate"], check=True, capture_output=True)
    return place / "certificate", place / "key"


@pytest.fixture(scope="module")
def world(certificate):
    with Collector(*certificate) as c, Service(start=False) as s:
        s.collector = c
        shutil.copy(certificate[0], s.dir / "certificate")
        (s.dir / "certificate").chmod(0o644)
        path = s.dir / "headers"
        path.write_text("Authorization: Bearer the-token\nX-Scope-OrgID: one\n")
        path.chmod(0o600)
        if helpers.is_root():
            shutil.chown(path, USER)
        s.otlp = {"endpoint": c.url + "/", "allow_private": True, "interval": "1s", "headers_file": str(path),
                  "ca_file": str(s.dir / "certificate")}
        s.configure({"monitoring": {"otlp": s.otlp}})
        yield s.start()


def traced(s, code, language, agent, parent=None, **more):
    began = time.monotonic_ns()
    headers = {"traceparent": parent} if parent else {}
    answer = s.execute(code, language, agent_id=agent, headers=headers, **more)
    return answer, time.monotonic_ns() - began


def check_tree(spans, elapsed_ns):
    """One run's spans. -> the root"""
    roots = [s for s in spans if s["name"] == "execution"]
    assert len(roots) == 1 and len({s["spanId"] for s in spans}) == len(spans)
    root, = roots
    for s in spans:
        assert re.fullmatch("[0-9a-f]{32}", s["traceId"]) and re.fullmatch("[0-9a-f]{16}", s["spanId"])
        assert s["traceId"] == root["traceId"]
        begin, end = int(s["startTimeUnixNano"]), int(s["endTimeUnixNano"])
        assert int(root["startTimeUnixNano"]) <= begin <= end <= int(root["endTimeUnixNano"]), s
        assert s is root or (s["parentSpanId"] == root["spanId"] and s["kind"] == 1)
    assert root["kind"] == 2
    assert 0 < int(root["endTimeUnixNano"]) - int(root["startTimeUnixNano"]) <= elapsed_ns
    return root


def test_each_run_is_a_span_with_its_parts_below_that_of_the_caller(world):
    traced(world, "true", "bash", "a-4", "00-%s-%s-00" % (TRACE, PARENT))  # the caller does not sample it
    ok, ok_ns = traced(world, "print('SECRET-OUTPUT')", "python", "a-1", "00-%s-%s-01" % (TRACE, PARENT))
    bad, bad_ns = traced(world, "exit 3 # SECRET-CODE", "bash", "a-2")
    no, no_ns = traced(world, "import os", "python", "a-3", risk_level="high")
    assert ok.status_code == bad.status_code == 200 and no.status_code == 403
    agents = {"a-1", "a-2", "a-3"}
    assert not helpers.poll(lambda: agents - {texts(s.get("attributes", ())).get("gen_ai.agent.id")
                                              for s in world.collector.spans()}, 60)
    by_agent = {}
    for s in world.collector.spans():
        if s["name"] == "execution":
            by_agent[texts(s["attributes"])["gen_ai.agent.id"]] = [
                x for x in world.collector.spans() if s["spanId"] in (x["spanId"], x.get("parentSpanId"))]
    assert "a-4" not in by_agent

    root = check_tree(by_agent["a-1"], ok_ns)
    assert (root["traceId"], root["parentSpanId"]) == (TRACE, PARENT) and root["status"] == {"code": 1}
    assert [s["name"] for s in by_agent["a-1"]] == ["execution", "queue", "scan", "decide", "start", "run", "settle"]
    has = texts(root["attributes"])
    assert has["sandbox.execution_id"] == ok.json()["execution_id"] and has["process.exit.code"] == "0"
    assert has["sandbox.reason"] == "completed" and has["sandbox.language"] == "python" and has["sandbox.backend"]

    root = check_tree(by_agent["a-2"], bad_ns)
    assert "parentSpanId" not in root and root["traceId"] not in (TRACE, "0" * 32)
    assert root["status"] == {"code": 2, "message": "error"} and texts(root["attributes"])["process.exit.code"] == "3"

    root = check_tree(by_agent["a-3"], no_ns)
    assert root["status"]["message"] == texts(root["attributes"])["sandbox.reason"] == "policy_denied"
    assert {s["name"] for s in by_agent["a-3"]} <= {"execution", "queue", "scan", "decide"}


def with_samples(text):
    """Families of an exposition that have any."""
    return set(re.findall(r"^# TYPE (\S+)", text, re.M)) & set(
        re.findall(r"^([a-z_]+?)(?:_bucket|_sum|_count)?[ {]", text, re.M))


def test_metrics_are_those_of_the_text_with_its_numbers(world):
    world.run("print(1)")
    text = world.outside("GET", "/metrics").text
    before = len(world.collector.bodies("/v1/metrics"))
    assert not helpers.poll(lambda: len(world.collector.bodies("/v1/metrics")) < before + 2, 60)
    body = world.collector.bodies("/v1/metrics")[-1]["resourceMetrics"][0]
    metrics = {m["name"]: m for m in body["scopeMetrics"][0]["metrics"]}
    assert with_samples(text) <= set(metrics) <= with_samples(world.outside("GET", "/metrics").text)
    assert len(metrics) > 40
    assert texts(body["resource"]["attributes"])["service.name"] == "sandboxd"
    runs = metrics["sandbox_agent_executions_total"]["sum"]
    assert runs["isMonotonic"] and runs["aggregationTemporality"] == 2
    assert sum(p["asDouble"] for p in runs["dataPoints"] if texts(p["attributes"])["reason"] == "completed") == sum(
        int(n) for n in re.findall(r'^sandbox_agent_executions_total\{.*reason="completed"\} (\d+)$', text, re.M)) > 0
    points = metrics["sandbox_agent_execution_duration_seconds"]["histogram"]["dataPoints"]
    assert all(len(p["bucketCounts"]) == len(p["explicitBounds"]) + 1 for p in points)
    assert all(sum(map(int, p["bucketCounts"])) == int(p["count"]) for p in points)
    assert sum(int(p["count"]) for p in points) == sum(
        int(n) for n in re.findall(r"^sandbox_agent_execution_duration_seconds_count\S* (\d+)$", text, re.M)) > 0


def test_what_was_refused_came_again_with_the_token_and_without_code_or_output(world):
    world.run("print('SECRET-OUTPUT') # SECRET-CODE")
    for kind in ("/v1/traces", "/v1/metrics"):
        assert not helpers.poll(lambda: not world.collector.bodies(kind), 60)
    with world.collector.lock:
        posts = list(world.collector.posts)
    for path in ("/v1/traces", "/v1/metrics"):
        first, again = [b for p, h, b in posts if p == path][:2]
        assert first == again
    assert {(h["Authorization"], h["X-Scope-OrgID"]) for p, h, b in posts} == {("Bearer the-token", "one")}
    assert not [b for p, h, b in posts if b"SECRET" in b or b"the-token" in b]
    assert "the-token" not in world.logs


def test_a_certificate_that_is_not_trusted_gets_nothing(world):
    def given_up():
        text = world.outside("GET", "/metrics").text
        return int(re.search(r'^sandbox_agent_otlp_posts_total\{result="failed"\} (\d+)$', text, re.M).group(1))

    before = given_up()
    world.configure({"monitoring": {"otlp": {k: v for k, v in world.otlp.items() if k != "ca_file"}}})
    try:
        world.hup()
        assert not helpers.poll(lambda: given_up() == before, 60)
        told = "otlp: a post to https://127.0.0.1:[0-9]+/v1/[a-z]+ was given up after [0-9]+ attempt.*certificate"
        assert not helpers.poll(lambda: not re.search(told, world.logs))
    finally:
        world.configure({"monitoring": {"otlp": world.otlp}})
        world.hup()


def test_a_collector_that_never_answers_costs_traces_and_nothing_else():
    def hold(handler, number):
        handler.server.go_on.wait(600)  # each attempt is broken off after 10 s, and made again
        handler.server.say(handler, 200)

    with Receiver(hold) as dead, Service(
            {"rate_limiting": {"enabled": False}, "monitoring": {"otlp": {
                "endpoint": dead.url, "allow_private": True, "queue_size": 16}}}) as s:

        def dropped():
            text = s.outside("GET", "/metrics").text
            return int(re.search(r"^sandbox_agent_otlp_runs_dropped_total (\d+)$", text, re.M).group(1))

        def told():
            return {s["traceId"] for p, h, b in list(dead.posts) if p == "/hook/v1/traces"
                    for s in json.loads(b)["resourceSpans"][0]["scopeSpans"][0]["spans"]}

        s.run("true", "bash")
        assert not helpers.poll(lambda: not told(), 60)
        # It is held: from now on runs wait in the queue, which has room for 16.
        for _ in range(4):
            threads = [threading.Thread(target=s.run, args=("true", "bash"), kwargs={"session": requests.Session()})
                       for _ in range(5)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
        assert dropped() == 4
        dead.go_on.set()
        assert not helpers.poll(lambda: len(told()) < 17, 60)
        assert dropped() == 4
