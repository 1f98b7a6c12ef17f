"""audit export: every line once, as it is or as CSV; and the names are those of the published ECS schema.

The schema is npm's @elastic/ecs, by the hash in tests/schemas, which `./check` fetches."""
import contextlib
import csv
import io
import json
import shutil
import subprocess

import pytest

from helpers import ROOT, Box, skip

SCHEMA = ROOT / "tests/schemas/node_modules/@elastic/ecs/build/commonjs/ecs_flat.js"
KINDS = {"keyword": str, "wildcard": str, "match_only_text": str, "constant_keyword": str, "date": str, "long": int,
         "float": (int, float)}


@pytest.fixture(scope="module")
def box():
    with contextlib.closing(Box()) as b:
        b.json("bash", "true", options=["--agent-id", "a-1"])
        b.agent("--agent-id", "=cmd()", "--language", "bash", "--risk-level", "high", "-c", "curl x")
        b.agent("--json", "--language", "python", "-c", "import os; os.execv('/bin/mount', ['=1+1'])")
        assert b.agent("agents", "quarantine", "a-1", "--reason", "=HYPERLINK(1)").code == 0
        yield b


def stored(box):
    return (box.log_dir / "audit.jsonl").read_text()


def test_ecs_is_the_audit_line_by_line_and_csv_has_a_row_for_each(box):
    done = box.agent("audit", "export")
    assert done.code == 0 and done.text == stored(box)
    every = [json.loads(line) for line in done.text.splitlines()]
    rows = list(csv.DictReader(io.StringIO(box.agent("audit", "export", "--format", "csv").text)))
    assert [(int(r["number"]), r["time"], r["action"]) for r in rows] == [
        (e["event"]["sequence"], e["@timestamp"], e["event"]["action"]) for e in every]
    assert not [r for r in rows for cell in r.values() if cell.startswith(("=", "+", "-", "@"))]
    assert [r for r in rows if r["agent"] == "'=cmd()"]
    one = box.agent("audit", "export", "--agent", "a-1", "--format", "csv").text.splitlines()
    assert len(one) == 1 + len([e for e in every if e.get("gen_ai", {}).get("agent", {}).get("id") == "a-1"]) > 3
    assert box.agent("audit", "export", "--since", "2099-01-01").text == ""


def test_an_unknown_format_is_refused_with_those_known(box):
    done = box.agent("audit", "export", "--format", "xml")
    assert done.code == 2 and "--format xml: accepted are ecs and csv" in done.err.decode()


def published():
    node = shutil.which("node", path="/usr/local/bin:/usr/bin:/bin")
    if not node or not SCHEMA.exists():
        skip("no schema: %s is missing (npm ci --ignore-scripts in tests/schemas, which ./check does)"
             % (SCHEMA if node else "node"))
    said = subprocess.run([node, "-p", "JSON.stringify(require(%s).EcsFlat)" % json.dumps(str(SCHEMA))],
                          capture_output=True, text=True, check=True, timeout=60)
    return json.loads(said.stdout)


def leaves(value, path=""):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, path + "." + key if path else key)
    else:
        for one in value if isinstance(value, list) else [value]:
            yield path, one


def wrong(schema, event):
    found = []
    for path, value in leaves(event):
        field = schema.get(path)
        allowed = {a["name"] for a in (field or {}).get("allowed_values", ())}
        if path.startswith(("agentsandbox.", "labels.")):  # ours, and those that ECS leaves free
            continue
        if not field or not isinstance(value, KINDS[field["type"]]) or (allowed and value not in allowed):
            found.append((path, value))
    return found


def test_every_name_and_value_is_what_the_published_schema_has(box):
    schema = published()
    events = [json.loads(line) for line in stored(box).splitlines()]
    assert len(events) > 6
    for event in events:
        assert not wrong(schema, event), event
    event = events[-1]
    assert wrong(schema, {**event, "gen_ai": {"agents": {"id": "x"}}}) == [("gen_ai.agents.id", "x")]
    odd = {**event, "event": {**event["event"], "category": ["sandbox"]}}
    assert wrong(schema, odd) == [("event.category", "sandbox")]
    assert wrong(schema, {**event, "message": 1}) == [("message", 1)]
