"""deploy/logs: what Filebeat, Vector and Elasticsearch are told has names and types of the published ECS, and the
pipeline's mapping holds for real lines. None of the three programs is run here."""
import contextlib
import json
import re

import pytest
import yaml

from ecs import is_ours, leaves, published, wrong
from helpers import ROOT, Box

LOGS = ROOT / "deploy/logs"
TEMPLATE = json.loads((LOGS / "elasticsearch/index-template.json").read_text())
PIPELINE = json.loads((LOGS / "elasticsearch/service-pipeline.json").read_text())
FILEBEAT = yaml.safe_load((LOGS / "filebeat.yml").read_text())
VECTOR = yaml.safe_load((LOGS / "vector.yaml").read_text())


@pytest.fixture(scope="module")
def lines():
    """-> lines of the audit, lines of monitoring.logging.output as JSON."""
    with contextlib.closing(Box()) as b:
        b.user_config({"monitoring": {"logging": {"format": "json", "level": "debug",
                                                  "output": [str(b.dir / "log/events.jsonl")]}}})
        b.json("bash", "true", options=["--agent-id", "a-1"])
        b.agent("--language", "bash", "--risk-level", "high", "-c", "exit 3")
        b.agent("--risk-level", "high", "--language", "python", "-c", "import os; os.execv('/bin/mount', ['x'])")
        b.agent("agents", "quarantine", "a-1", "--reason", "x")
        b.agent("--agent-id", "a-1", "--language", "bash", "-c", "true")
        yield [[json.loads(line) for line in (b.log_dir / name).read_text().splitlines()]
               for name in ("audit.jsonl", "events.jsonl")]


def template_fields(properties=None, path=""):
    for name, field in (properties or TEMPLATE["template"]["mappings"]["properties"]).items():
        if "properties" in field:
            yield from template_fields(field["properties"], path + name + ".")
        else:
            yield path + name, field["type"]


def put(document, path, value):
    *up, last = path.split(".")
    for name in up:
        document = document.setdefault(name, {})
    document[last] = value


def take(document, path):
    *up, last = path.split(".")
    for name in up:
        document = document.get(name, {})
    return document.pop(last, None)


def ingested(document):
    """What the pipeline makes of it; a processor that is not known here is an error."""
    for one in PIPELINE["processors"]:
        (kind, p), = one.items()
        if kind == "set":
            put(document, p["field"], p["value"])
        elif kind == "remove":
            for field in p["field"]:
                take(document, field)
        elif kind == "date":
            put(document, "@timestamp", document["line"]["time"])
        elif kind == "rename":
            assert p["ignore_missing"]
            value = take(document, p["field"])
            if value is not None:
                put(document, p["target_field"], value)
        else:
            raise AssertionError("the pipeline has a processor that this test does not know: %s" % kind)
    return document


def test_each_type_in_the_template_is_that_of_the_published_schema():
    schema = published()
    fields = dict(template_fields())
    assert len(fields) > 30 and TEMPLATE["template"]["mappings"]["dynamic"] is False
    assert {p: t for p, t in fields.items() if not is_ours(p) and schema.get(p, {}).get("type") != t} == {}


def test_the_lines_of_the_audit_are_in_the_template_as_they_are(lines):
    fields = dict(template_fields())
    assert {e["event"]["action"] for e in lines[0]} >= {"execution-decided", "execution-finished", "execution-refused"}
    assert {p for e in lines[0] for p, _ in leaves(e) if p not in fields and not p.startswith("agentsandbox.")} == set()


def test_the_pipeline_makes_documents_of_the_schema_of_every_kind_of_line(lines):
    schema, fields = published(), dict(template_fields())
    kinds = {line["event"] for line in lines[1]}
    assert kinds >= {"execution_started", "execution_completed", "execution_failed", "security_violation"}, kinds
    made_up = [{"time": "2026-11-23T00:00:00.000Z", "level": "warn", "message": "sandboxd's own words"},
               {"time": "2026-11-23T00:00:00.000Z", "level": "warn", "event": "alert", "agent_id": "a",
                "condition": "c", "message": "m"}]
    for line in lines[1] + made_up:
        document = ingested({"message": "the raw line", "line": dict(line)})
        assert wrong(schema, document) == []
        assert {p for p, _ in leaves(document)} <= set(fields), line
        assert document["@timestamp"] == line["time"] and document["log"]["level"] == line["level"]
        assert document.get("message") in (line.get("message"), line.get("detail")) and "line" not in document
        assert "gen_ai" not in document or document["gen_ai"]["agent"]["id"] == line["agent_id"]
    assert wrong(schema, {"gen_ai": {"agents": "x"}}) == [("gen_ai.agents", "x")]


def test_vector_has_the_names_of_the_pipeline():
    source = VECTOR["transforms"]["agentsandbox_service"]["source"]
    mapped = {(a, b) for b, a in re.findall(r"\.([a-z_.]+) = line\.([a-z_]+)", source)}
    assert mapped == {(p["rename"]["field"][len("line."):], p["rename"]["target_field"])
                      for p in PIPELINE["processors"] if "rename" in p}
    constants = dict(re.findall(r'^ *\.([a-z_.]+) = "([^"]+)"$', source, re.M))
    assert constants == {p["set"]["field"]: p["set"]["value"] for p in PIPELINE["processors"] if "set" in p}
    indices = {i["index"] for i in FILEBEAT["filebeat.inputs"]}
    for sink in VECTOR["sinks"].values():
        d = sink["data_stream"]
        assert "%s-%s-%s" % (d["type"], d["dataset"], d["namespace"]) in indices
        assert set(sink["inputs"]) <= set(VECTOR["transforms"])
    for transform in VECTOR["transforms"].values():
        assert set(transform["inputs"]) <= set(VECTOR["sources"])


def test_both_read_the_same_files_and_name_the_pipeline():
    read = {p for i in FILEBEAT["filebeat.inputs"] for p in i["paths"]}
    assert read == {p for s in VECTOR["sources"].values() for p in s["include"]}
    assert read == {"/var/log/sandbox/audit.jsonl", "/var/log/sandbox/audit-*.jsonl", "/var/log/sandbox/sandboxd.jsonl"}
    readme = (LOGS / "README.md").read_text()
    assert [i["pipeline"] for i in FILEBEAT["filebeat.inputs"] if "pipeline" in i] == ["agentsandbox-service"]
    assert "_ingest/pipeline/agentsandbox-service" in readme and "/var/log/sandbox/sandboxd.jsonl" in readme
