"""/metrics: the text is what Prometheus reads, complete and nothing else, and docs/metrics.md lists exactly it.

The text comes from a small program of our own (metrics_text.c), with something counted everywhere; the last tests ask a
service.
"""
import re
import subprocess

import pytest

import exposition
import prometheus
from helpers import ROOT
from objects import program

DOCUMENT = ROOT / "docs/metrics.md"


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    made = program("metrics_text", tmp_path_factory.mktemp("metrics"), ["-pthread"])
    return lambda *words: subprocess.run([made, *words], check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def promtool(tmp_path_factory):
    return prometheus.program("promtool", tmp_path_factory)


@pytest.mark.parametrize("what", ["full", "empty"])
def test_the_text_is_exactly_in_the_format(text, what):
    found = exposition.families(text(what))
    assert len(found) > 40 - 5 * (what == "empty")
    assert all(name.startswith(("sandbox_agent_", "process_")) for name in found)


@pytest.mark.parametrize("wrong", [
    "x 1\n",
    "# HELP x_total A.\n# TYPE x_total counter\nx_total 1",
    "# HELP x A.\n# TYPE x counter\nx 1\n",
    "# HELP x A.\n# TYPE x gauge\nx 1\nx 2\n",
    "# HELP x A.\n# TYPE x gauge\nx{a=\"b\"c\"} 1\n",
    "# HELP x A.\n# TYPE x gauge\nx{a=\"1\"} 1\nx{b=\"1\"} 1\n",
    "# HELP x A.\n# TYPE x gauge\ny 1\n",
    "# HELP x A.\n# TYPE x gauge\n",
    "# HELP x_ms A.\n# TYPE x_ms gauge\nx_ms 1\n",
    "# HELP x A.\n# TYPE x histogram\nx_bucket{le=\"1\"} 1\nx_sum 1\nx_count 1\n",
    "# HELP x A.\n# TYPE x histogram\nx_bucket{le=\"1\"} 2\nx_bucket{le=\"+Inf\"} 1\nx_sum 1\nx_count 1\n",
    "# HELP x A.\n# TYPE x histogram\nx_bucket{le=\"1\"} 1\nx_bucket{le=\"+Inf\"} 2\nx_sum 1\nx_count 1\n",
])
def test_our_reader_refuses_what_is_wrong(wrong):
    with pytest.raises(AssertionError):
        exposition.families(wrong)


def test_the_text_shows_what_was_counted(text):
    found = exposition.families(text())
    executions = found["sandbox_agent_executions_total"]
    assert executions.value(level="high", language="rust", backend="native", reason="oom") == 1
    assert executions.value(level="high", language="command", backend="docker", reason="sandbox_error") == 1
    assert executions.value(level="high", language="command", backend="other", reason="sandbox_error") == 1
    assert sum(v for _, _, v in executions.samples) == 3 * 6 * 10 + 3
    assert found["sandbox_agent_rate_limit_refusals_total"].value(limit="cooldown_period") == 1
    assert found["sandbox_agent_refusals_total"].value(rule="other") == 1
    assert found["sandbox_agent_violations_total"].value(type="other", severity="high") == 1


def test_what_strangers_choose_is_no_label(text):
    values = {v for f in exposition.families(text()).values() for _, labels, _ in f.samples for v in labels.values()}
    assert "other" in values and not [v for v in values if re.search("odd|own\\b|BREW|another", v)]


def test_families_and_series_stay_few(text):
    assert len(text().splitlines()) < 1200


# ---- the document ----

def documented():
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \| (.*?) \| (.*) \|$", DOCUMENT.read_text(), re.M)
    assert len(rows) == len({r[0] for r in rows}) and rows
    return {name: (kind, set(re.findall(r"`(\w+)`", labels)), meaning) for name, kind, labels, meaning in rows}


def test_the_document_lists_exactly_what_is_there(text):
    actual = {f.name: (f.kind, set(f.samples[0][1]) - {"le"}, f.help) for f in exposition.families(text()).values()}
    assert documented() == actual


def test_queries_of_the_document_name_what_is_there():
    names = set(documented())
    queries = re.findall(r"^```promql\n(.*?)^```", DOCUMENT.read_text(), re.M | re.S)
    used = set(re.findall(r"\b((?:sandbox_agent|process)_\w+)", "".join(queries)))
    assert used and {re.sub("_(bucket|sum|count)$", "", u) if u not in names else u for u in used} <= names


def queries_as_rules():
    queries = [q for block in re.findall(r"^```promql\n(.*?)^```", DOCUMENT.read_text(), re.M | re.S)
               for q in block.splitlines()
               if q and not q.startswith("#")]
    assert len(queries) > 4
    return "groups:\n- name: docs\n  rules:\n" + "".join("  - record: docs:q%d\n    expr: '%s'\n"
                                                         % (i, q.replace("'", "''"))
                                                         for i, q in enumerate(queries))


def test_promtool_finds_nothing_to_say_on_text_and_queries(text, promtool, tmp_path):
    for what in ("full", "empty"):
        done = subprocess.run([promtool, "check", "metrics"], input=text(what), capture_output=True, text=True,
                              timeout=60)
        assert (done.returncode, done.stdout + done.stderr) == (0, "")
    (tmp_path / "rules.yml").write_text(queries_as_rules())
    done = subprocess.run([promtool, "check", "rules", str(tmp_path / "rules.yml")], capture_output=True, text=True,
                          timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
