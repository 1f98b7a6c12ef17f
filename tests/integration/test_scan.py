"""Every rule of rules/*.yaml finds what it says it finds, and passes over what it says it passes over."""
import json
import subprocess

import pytest
import yaml
from helpers import LANGUAGES, LIBEXEC, ROOT

SCAN = LIBEXEC / "sandbox-scan"
RULES = [(path.stem, rule) for path in sorted((ROOT / "rules").glob("*.yaml")) for rule in yaml.safe_load(path.read_text())["rules"]]


def scan(tmp_path, language, code):
    file = tmp_path / "code"
    file.write_bytes(code if isinstance(code, bytes) else code.encode())
    done = subprocess.run([SCAN, "--file", file, "--language", language, "--rules", ROOT / "rules"], capture_output=True, timeout=30)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def found(report, rule):
    return [f for f in report["findings"] if f["rule"] == rule]


def languages(stem, rule):
    return rule.get("languages") or (LANGUAGES if stem == "text" else [stem])


def examples(key):
    return [pytest.param(language, rule["name"], code, id="%s-%s-%d" % (rule["name"], language, n))
            for stem, rule in RULES for language in languages(stem, rule) for n, code in enumerate(rule.get(key) or [])]


@pytest.mark.parametrize("language, rule, code", examples("matches"))
def test_a_rule_finds_its_example(tmp_path, language, rule, code):
    report = scan(tmp_path, language, code)
    assert found(report, rule), report


@pytest.mark.parametrize("language, rule, code", examples("misses"))
def test_a_rule_passes_over_its_counterexample(tmp_path, language, rule, code):
    report = scan(tmp_path, language, code)
    assert not found(report, rule), report


@pytest.mark.parametrize("stem, rule", [pytest.param(stem, rule, id=rule["name"]) for stem, rule in RULES])
def test_a_rule_has_examples_of_both_kinds(stem, rule):
    assert rule.get("misses"), "%s: %s has no counterexample" % (stem, rule["name"])
    assert rule.get("matches") or rule["name"] == "scan-invalid-utf8", "%s: %s has no example" % (stem, rule["name"])
