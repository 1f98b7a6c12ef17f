"""Python programs as people and attackers write them: the risky ones are found, the ordinary ones left alone."""
import json
import subprocess

import pytest
from helpers import LIBEXEC, ROOT

PROGRAMS = ROOT / "tests" / "data" / "scan" / "python"


def raised(path):
    done = subprocess.run([LIBEXEC / "sandbox-scan", "--file", path, "--language", "python", "--rules", ROOT / "rules"],
                          capture_output=True, timeout=30)
    assert done.returncode == 0, done.stderr
    return sorted({f["rule"] for f in json.loads(done.stdout)["findings"] if f["severity"] != "info"})


@pytest.mark.parametrize("kind, is_risky, may_fail", [("risky", True, 0.0), ("ordinary", False, 0.02)])
def test_programs_are_told_apart(kind, is_risky, may_fail):
    paths = sorted((PROGRAMS / kind).glob("*.py"))
    assert len(paths) >= 60
    found = {path.stem: raised(path) for path in paths}
    wrong = {name: rules for name, rules in found.items() if bool(rules) != is_risky}
    assert len(wrong) <= may_fail * len(paths), wrong
