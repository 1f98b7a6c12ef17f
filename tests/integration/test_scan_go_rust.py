"""The samples of risky and ordinary Go and Rust programs: each risky one has a finding above information, no ordinary
one has."""
import json
import subprocess

import pytest
from helpers import LIBEXEC, ROOT

SAMPLES = ROOT / "tests" / "data" / "scan"


def alarms(language, path):
    done = subprocess.run([LIBEXEC / "sandbox-scan", "--file", path, "--language", language, "--rules", ROOT / "rules"],
                          capture_output=True, timeout=30)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    return ["%s:%d" % (f["rule"], f["line"]) for f in report["findings"] if f["severity"] != "info"]


def samples(language, kind):
    found = sorted((SAMPLES / language / kind).iterdir())
    assert len(found) >= 25
    return found


@pytest.mark.parametrize("language", ["go", "rust"])
def test_every_risky_sample_is_found(language):
    missed = [path.name for path in samples(language, "risky") if not alarms(language, path)]
    assert not missed


@pytest.mark.parametrize("language", ["go", "rust"])
def test_no_ordinary_sample_raises_an_alarm(language):
    wrong = {path.name: found for path in samples(language, "ordinary") if (found := alarms(language, path))}
    assert not wrong
