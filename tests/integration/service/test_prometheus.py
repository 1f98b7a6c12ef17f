"""deploy/prometheus: Prometheus's own tools accept the alert rules, each alert has a scenario, and a real Prometheus
that scrapes a real service sees one fire."""
import json
import re
import shutil
import socket
import subprocess
import urllib.request

import pytest
import yaml

from helpers import ROOT, poll
from prometheus import program

PLACE = ROOT / "deploy/prometheus"
RULES = yaml.safe_load((PLACE / "sandbox-agent.rules.yml").read_text())["groups"][0]["rules"]
SCENARIOS = [PLACE / name for name in ("sandbox-agent.test.yml", "sandbox-agent-days.test.yml")]


@pytest.fixture(scope="module")
def promtool(tmp_path_factory):
    return program("promtool", tmp_path_factory)


def says(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


def test_promtool_accepts_the_rules_and_the_example(promtool):
    says(promtool, "check", "rules", str(PLACE / "sandbox-agent.rules.yml"))
    says(promtool, "check", "config", str(PLACE / "prometheus.yml"))


def test_every_alert_fires_where_it_has_to_and_nowhere_else(promtool):
    says(promtool, "test", "rules", *map(str, SCENARIOS))
    scenarios = "".join(path.read_text() for path in SCENARIOS)
    assert not [r["alert"] for r in RULES if r["alert"] not in scenarios]


def test_a_scenario_that_does_not_hold_is_noticed(promtool, tmp_path):
    shutil.copy(PLACE / "sandbox-agent.rules.yml", tmp_path)
    text = SCENARIOS[0].read_text()
    (tmp_path / "sandbox-agent.test.yml").write_text(text.replace("values: '101x10'", "values: '99x10'"))
    done = subprocess.run([promtool, "test", "rules", str(tmp_path / "sandbox-agent.test.yml")], capture_output=True,
                          text=True, timeout=120)
    assert done.returncode != 0 and "SandboxAgentAgentBusy" in done.stdout + done.stderr


def test_rules_name_metrics_that_exist_and_say_what_to_do():
    listed = set(re.findall(r"^\| `(\w+)` \|", (ROOT / "docs/metrics.md").read_text(), re.M))
    for rule in RULES:
        used = {re.sub("_(bucket|sum|count)$", "", m) for m in re.findall(r"\bsandbox_agent_\w+", rule["expr"])}
        assert used <= listed, rule["alert"]
        assert rule["labels"]["severity"] in ("page", "warning", "info")
        assert rule["annotations"]["summary"] and rule["annotations"]["description"], rule["alert"]


def test_the_document_lists_the_alerts():
    document = (ROOT / "docs/metrics.md").read_text()
    rows = dict(re.findall(r"^\| `(SandboxAgent\w+)` \| (\w+) \|", document, re.M))
    assert rows == {r["alert"]: r["labels"]["severity"] for r in RULES}


# ---- a real one ----

def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@pytest.fixture
def prometheus(service, tmp_path, tmp_path_factory):
    """Debian's, with the shipped rules and example, which differ in the address and in how often it looks."""
    port = free_port()
    shutil.copy(PLACE / "sandbox-agent.rules.yml", tmp_path)
    config = yaml.safe_load((PLACE / "prometheus.yml").read_text())
    config["global"] = {"scrape_interval": "1s", "evaluation_interval": "1s"}
    config["scrape_configs"][0]["static_configs"][0]["targets"] = [service.url.removeprefix("http://")]
    (tmp_path / "prometheus.yml").write_text(yaml.safe_dump(config))
    with open(tmp_path / "said", "wb") as said:
        child = subprocess.Popen([program("prometheus", tmp_path_factory),
                                  "--config.file", str(tmp_path / "prometheus.yml"),
                                  "--storage.tsdb.path", str(tmp_path / "data"),
                                  "--web.listen-address", "127.0.0.1:%d" % port], stdout=said, stderr=said)

    def get(path):
        with urllib.request.urlopen("http://127.0.0.1:%d/api/v1/%s" % (port, path), timeout=10) as answer:
            return json.load(answer)["data"]
    try:
        yield get
    finally:
        child.kill()
        child.wait()


def ask(prometheus, path):
    try:
        return prometheus(path)
    except OSError:
        return None  # it does not listen yet


def test_a_real_prometheus_scrapes_the_service_and_an_alert_fires(service, prometheus):
    def is_scraped():
        targets = ask(prometheus, "targets") or {"activeTargets": []}
        return [t for t in targets["activeTargets"] if t["health"] == "up"]
    assert not poll(lambda: not is_scraped(), 90, 0.2)

    def firing():
        return {a["labels"]["alertname"] for a in prometheus("alerts")["alerts"] if a["state"] == "firing"}
    assert "SandboxAgentAgentBusy" not in firing()
    for _ in range(101):
        assert service.execute("true", "bash", agent_id="busy").status_code == 200
    busiest = service.request("GET", "/attempts?limit=1").json()
    assert busiest["agents"] == [{"agent_id": "busy", "attempts": 101}] and busiest["window_seconds"] == 3600
    assert not poll(lambda: "SandboxAgentAgentBusy" not in firing(), 90, 0.2)
