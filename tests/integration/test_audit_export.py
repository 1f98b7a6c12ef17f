"""audit export: every line once, in each format; and the names are those of the published ECS schema, and of OCSF's."""
import contextlib
import csv
import io
import json
import re
import subprocess

import pytest

from ecs import published, wrong
from helpers import AGENT, ROOT, Box

OCSF = json.loads((ROOT / "tests/data/ocsf.json").read_text())


@pytest.fixture(scope="module")
def box():
    with contextlib.closing(Box()) as b:
        b.json("bash", "true", options=["--agent-id", "a-1"])
        b.agent("--agent-id", "=cmd()", "--language", "bash", "--risk-level", "high", "-c", "curl x")
        b.agent("--json", "--language", "python", "-c", "import os; os.execv('/bin/mount', ['=1+1'])")
        assert b.agent("agents", "quarantine", "a-1", "--reason", "=HYPERLINK(1)").code == 0
        b.agent("--agent-id", "a-1", "--language", "bash", "-c", "true")
        assert b.agent("keys", "create", "--name", "k-1", "--role", "read").code == 0
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


def export(box, form, *more):
    done = box.agent("audit", "export", "--format", form, *more)
    assert done.code == 0, done
    return [json.loads(line) for line in done.text.splitlines()]


def test_jsonl_has_the_columns_of_csv_as_flat_objects(box):
    rows = list(csv.DictReader(io.StringIO(box.agent("audit", "export", "--format", "csv").text)))
    flat = export(box, "jsonl")
    assert [list(f) for f in flat] == [list(r) for r in rows]
    assert [(f["number"], f["time"], f["action"]) for f in flat] == [
        (int(r["number"]), r["time"], r["action"]) for r in rows]
    assert [f for f in flat if f["agent"] == "=cmd()"] and [f for f in flat if f["agent"] is None]
    assert {f["agent"] for f in export(box, "jsonl", "--agent", "a-1")} == {"a-1"}


def odd_of(attributes, required, value, where):
    """What of this object the excerpt does not have, or what of the excerpt is not there."""
    found = ["%s.%s" % (where, k) for k in value if k not in attributes]
    found += ["%s.%s is missing" % (where, k) for k in required if k not in value]
    for key, inner in value.items():
        if key != "unmapped":
            for one in inner if isinstance(inner, list) else [inner]:
                if isinstance(one, dict):
                    o = OCSF["objects"].get(key, {"attributes": (), "required": ()})
                    found += odd_of(o["attributes"], o["required"], one, key)
        if key in OCSF["enums"] and inner not in OCSF["enums"][key]:
            found.append("%s.%s: %s" % (where, key, inner))
    return found


def odd(event):
    c = {c["uid"]: c for c in OCSF["classes"]}[event["class_uid"]]
    found = odd_of(c["attributes"], c["required"], event, "event")
    found += [] if event["activity_id"] in c["activities"] else ["activity_id: %s" % event["activity_id"]]
    ids = (c["category"], c["uid"] * 100 + event["activity_id"])
    return found + ([] if (event["category_uid"], event["type_uid"]) == ids else ["category_uid, type_uid"])


def test_ocsf_events_are_as_the_schema_has_them_and_say_what_the_line_says(box):
    lines, events = export(box, "ecs"), export(box, "ocsf")
    assert len(events) == len(lines) and not [o for e in events for o in odd(e)]
    assert {e["class_uid"] for e in events} >= {0, 1007, 3004}
    assert odd({**events[0], "activity_id": 7, "whom": 1}) != []
    for line, e in zip(lines, events):
        assert e["metadata"]["uid"] == line["event"]["hash"] and e["message"] == line["message"]
        assert e["metadata"]["event_code"] == line["event"]["action"]
    refused = [e for e in events if e["metadata"]["event_code"] == "execution-refused"][0]
    assert (refused["action_id"], refused["status_id"]) == (2, 2) and refused["actor"]["app_uid"] == "a-1"
    ended = [e for e in events if e["metadata"]["event_code"] == "execution-finished"][0]
    assert ended["exit_code"] == 0 and len(ended["process"]["file"]["hashes"][0]["value"]) == 64
    key = [e for e in events if e["metadata"]["event_code"] == "key-created"][0]
    assert key["entity"]["type"] == "key" and key["entity"]["uid"]


def test_the_table_of_ocsf_in_the_document_is_the_one_in_force(box):
    rows = re.findall(r"^\| (?:`([a-z-]+)`|any other) \| [^|]+ \| (\d+) \| (\d+) \w+ \|(?: (\d) \w+)? \|$",
                      (ROOT / "docs/audit.md").read_text(), re.M)
    in_code = re.findall(r'^    \{ "([a-z-]+)", CLASS_', (ROOT / "src/cli/audit_ocsf.c").read_text(), re.M)
    assert [r[0] for r in rows] == [*in_code, ""] and len(rows) > 10
    line = stored(box).splitlines()[-1]
    action = json.loads(line)["event"]["action"]
    with contextlib.closing(Box()) as b:  # one line of each; export does not verify, so copies do
        b.log_dir.mkdir(mode=0o700)
        (b.log_dir / "audit.jsonl").write_text("".join(
            line.replace('"action":"%s"' % action, '"action":"%s"' % (r[0] or "audit-opened")) + "\n" for r in rows))
        events = export(b, "ocsf")
    assert not [o for e in events for o in odd(e)]
    assert [(e["class_uid"], e["activity_id"], e.get("action_id")) for e in events] == [
        (int(r[1]), int(r[2]), int(r[3]) if r[3] else None) for r in rows]


def test_an_export_of_any_length_takes_the_same_memory(box):
    lines = stored(box)
    with contextlib.closing(Box()) as b:
        b.log_dir.mkdir(mode=0o700)
        (b.log_dir / "audit.jsonl").write_text(lines * (24 * 2**20 // len(lines)))
        for form in ("ocsf", "csv"):
            done = subprocess.run(["prlimit", "--as=%d" % 2**24, AGENT, "audit", "export", "--format", form],
                                  env=b.env, cwd=b.cwd, capture_output=True, timeout=300)
            assert done.returncode == 0 and done.stdout.count(b"\n") >= 24 * 2**20 // len(lines), done.stderr


def test_an_unknown_format_is_refused_with_those_known(box):
    done = box.agent("audit", "export", "--format", "xml")
    assert done.code == 2 and "--format xml: accepted are ecs, csv, jsonl and ocsf" in done.err.decode()


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
