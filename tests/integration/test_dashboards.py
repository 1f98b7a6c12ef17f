"""deploy/grafana and deploy/observability: the dashboards are as their command writes them, Grafana's own schema
accepts them, promtool parses each query, and what is provisioned is there.

The schema is @grafana/schema, read by the TypeScript compiler: both from npm, by the hash in tests/schemas, which
`./check` fetches."""
import json
import re
import shutil
import subprocess

import pytest
import yaml

from helpers import ROOT, skip
from prometheus import program

PLACE, SCHEMAS, STACK = ROOT / "deploy/grafana", ROOT / "tests/schemas/node_modules", ROOT / "deploy/observability"
BOARDS = {p.stem: json.loads(p.read_text()) for p in sorted(PLACE.glob("*.json"))}
OPTIONS = {
    "timeseries": "timeseries/panelcfg/x/types.gen",
    "stat": "stat/panelcfg/x/types.gen",
    "text": "text/panelcfg/x/types.gen"}


def generate(*words, place=PLACE):
    return subprocess.run(["/usr/bin/python3", str(place / "dashboards.py"), *words],
                          capture_output=True, text=True, timeout=60)


def targets():
    return [(board, panel["title"], t["expr"]) for board, made in BOARDS.items()
            for panel in made["panels"] for t in panel.get("targets", ())]


def test_the_dashboards_are_as_their_command_writes_them():
    assert set(BOARDS) == {"overview", "agents", "security", "capacity"}
    done = generate("--check")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("old, new, said",
                         [('"executions_total", "reason"',
                           '"executions_totals", "reason"',
                           "no metric executions_totals"),
                          ('"executions_total", "reason"',
                           '"executions_total", "agent"',
                           "no label agent"),
                             ("@executions_queued /",
                              "@executions_waiting /",
                              "no metric executions_waiting"),
                             ('metric("Scan", "scan_seconds"),',
                              "",
                              "no dashboard shows sandbox_agent_scan_seconds"),
                             ('"Scan"',
                              '"Scans"',
                              "would write it: capacity.json")],
                         ids=["metric",
                              "label",
                              "in a query",
                              "one that is not shown",
                              "stale"])
def test_an_unknown_metric_or_label_and_a_metric_that_is_not_shown_are_errors(tmp_path, old, new, said):
    copy = tmp_path / "deploy/grafana"
    shutil.copytree(PLACE, copy)
    (tmp_path / "docs").mkdir()
    shutil.copy(ROOT / "docs/metrics.md", tmp_path / "docs")
    text = (copy / "dashboards.py").read_text()
    assert text.count(old) == 1, old
    (copy / "dashboards.py").write_text(text.replace(old, new))
    done = generate("--check", place=copy)
    assert done.returncode and said in done.stderr, done.stderr


def test_promtool_parses_every_query(tmp_path, tmp_path_factory):
    rules = [{"record": "board:q%d" % i, "expr": expr.replace("$__rate_interval", "5m").replace(
        "$instance", ".*")} for i, (_, _, expr) in enumerate(targets())]
    assert len(rules) > 60 and not [r for r in rules if "$" in r["expr"]]
    file = tmp_path / "rules.yml"

    def check(these):
        file.write_text(yaml.safe_dump({"groups": [{"name": "boards", "rules": these}]}))
        return subprocess.run([program("promtool", tmp_path_factory), "check", "rules",
                              str(file)], capture_output=True, text=True, timeout=120)
    done = check(rules)
    assert done.returncode == 0, done.stdout + done.stderr
    assert check([{"record": "board:q", "expr": rules[0]["expr"] + ")"}]).returncode != 0


def test_titles_are_unique_and_panels_neither_overlap_nor_leave_the_page():
    for name, board in BOARDS.items():
        titles = [p["title"] for p in board["panels"]]
        assert len(titles) == len(set(titles)) and [p["id"]
                                                    for p in board["panels"]] == list(range(1, len(titles) + 1)), name
        taken = set()
        for p in board["panels"]:
            g = p["gridPos"]
            cells = {(x, y) for x in range(g["x"], g["x"] + g["w"]) for y in range(g["y"], g["y"] + g["h"])}
            assert not cells & taken and g["x"] + g["w"] <= 24, (name, p["title"])
            taken |= cells


# ---- Grafana's own schema ----

# Text of JSON is no member of an enum to the compiler: the enum's values stand in for it.
LOOSE = """
type Json<T> = unknown extends T ? T : T extends string ? `${T}` : T extends Array<infer U> ? Array<Json<U>>
    : T extends object ? { [K in keyof T]: Json<T[K]> } : T;
"""


def typescript(boards):
    lines = ["import type { Dashboard, Panel, RowPanel, GraphFieldConfig } from '@grafana/schema';"]
    lines += ["import type { Options as %s_options } from '@grafana/schema/dist/types/raw/composable/%s';" %
              item for item in OPTIONS.items()]
    lines.append(LOOSE)
    for name, board in boards.items():
        lines.append("const %s: Json<Omit<Dashboard, 'panels'>> = %s;" %
                     (name, json.dumps({k: v for k, v in board.items() if k != "panels"})))
        for p in board["panels"]:
            at = "%s_%d" % (name, p["id"])
            lines.append("const %s: Json<%s> = %s;" %
                         (at, "RowPanel" if p["type"] == "row" else "Panel", json.dumps(p)))
            if p["type"] != "row":  # which to Panel are any
                lines.append("const %s_options: Json<%s_options> = %s;" % (at, p["type"], json.dumps(p["options"])))
                custom = p.get("fieldConfig", {}).get("defaults", {}).get("custom", {})
                lines.append("const %s_custom: Json<GraphFieldConfig> = %s;" % (at, json.dumps(custom)))
    return "\n".join(lines) + "\nexport {};\n"


def compiled(text, tmp_path):
    node = shutil.which("node", path="/usr/local/bin:/usr/bin:/bin")
    tsc = SCHEMAS / "typescript/lib/tsc.js"
    if not node or not tsc.exists():
        skip(
            "no schema: %s is missing (npm ci --ignore-scripts in tests/schemas, which ./check does)" %
            (tsc if node else "node"))
    (tmp_path / "boards.ts").write_text(text)
    config = {"compilerOptions": {"strict": True,
                                  "noEmit": True,
                                  "skipLibCheck": True,
                                  "module": "esnext",
                                  "moduleResolution": "node",
                                  "types": [],
                                  "baseUrl": ".",
                                  "paths": {"@grafana/schema": [str(SCHEMAS / "@grafana/schema/dist/types/index.d.ts")],
                                            "*": [str(SCHEMAS / "*")]}},
              "files": ["boards.ts"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(config))
    return subprocess.run([node, str(tsc), "-p", str(tmp_path)], capture_output=True, text=True, timeout=170)


def test_grafana_s_schema_accepts_the_dashboards_and_refuses_what_it_does_not_know(tmp_path):
    broken = json.loads(json.dumps({k: BOARDS[k] for k in ("overview",)}))
    board = broken["overview"]
    board["grafTooltip"] = board.pop("graphTooltip")
    panels = [p for p in board["panels"] if p["type"] == "timeseries"][:4]
    panels[0]["gridPos"]["width"] = panels[0]["gridPos"].pop("w")
    panels[1]["options"]["legend"]["displayMode"] = "grid"
    panels[2]["options"]["tooltip"]["mode"] = 1
    panels[3]["fieldConfig"]["defaults"]["custom"]["lineWidths"] = 1
    text = typescript(BOARDS) + typescript({"broken": dict(board, panels=panels)}
                                           ).split(LOOSE)[1].removesuffix("export {};\n")
    done = compiled(text, tmp_path)
    lines = text.splitlines()
    wrong = {re.match(r"const (\w+):", lines[int(n) - 1])[1] for n in re.findall(r"boards\.ts\((\d+),", done.stdout)}
    ids = [p["id"] for p in panels]
    assert wrong == {"broken", "broken_%d" %
                     ids[0], "broken_%d_options" %
                     ids[1], "broken_%d_options" %
                     ids[2], "broken_%d_custom" %
                     ids[3]}, done.stdout[:3000]


# ---- what is provisioned ----

def test_the_stack_names_files_that_are_there_and_nothing_beyond_loopback():
    stack = yaml.safe_load((STACK / "compose.yaml").read_text())
    for name, service in stack["services"].items():
        assert service["network_mode"] == "host" and service["cap_drop"] == ["ALL"], name
        for volume in service["volumes"]:
            source = volume.split(":")[0]
            assert (STACK / source).exists() if source.startswith(".") else source in stack["volumes"], volume
    words, grafana = stack["services"]["prometheus"]["command"], stack["services"]["grafana"]
    assert "--web.listen-address=127.0.0.1:9090" in words
    assert grafana["environment"]["GF_SERVER_HTTP_ADDR"] == "127.0.0.1"
    source = yaml.safe_load((STACK / "provisioning/datasources/prometheus.yaml").read_text())["datasources"][0]
    assert source["url"] == "http://127.0.0.1:9090" and source["type"] == "prometheus"
    provider = yaml.safe_load((STACK / "provisioning/dashboards/sandbox-agent.yaml").read_text())["providers"][0]
    assert [v for v in grafana["volumes"] if v.startswith("../grafana:" + provider["options"]["path"])]
