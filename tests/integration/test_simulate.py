"""`policy simulate`: the real policy over simulated runs. The scenarios are the goals of docs/trust.md: each
expectation in them is asserted, and a scenario whose expectation is wrong says so with its line."""

import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from helpers import AGENT, ROOT

# each of thousands of runs is written to a database: on a disk that takes three times as long
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
SCENARIOS = sorted((Path(ROOT) / "tests" / "scenarios").glob("*.sim"))


def simulate(tmp_path, *words, stdin=None):
    tmp = tempfile.mkdtemp(dir=MEMORY)
    env = {**os.environ, "TMPDIR": tmp, "XDG_CACHE_HOME": str(tmp_path / "cache"),
           "XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_STATE_HOME": str(tmp_path / "state")}
    done = subprocess.run([AGENT, "policy", "simulate", *map(str, words)], input=stdin, text=True, env=env,
                          capture_output=True, timeout=300)
    os.rmdir(tmp)  # nothing is left behind
    return done


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda p: p.stem)
def test_every_scenario_ends_as_it_says(tmp_path, scenario):
    r = simulate(tmp_path, scenario)
    assert r.returncode == 0, r.stdout + r.stderr
    held = r.stdout.splitlines()[-1].split()
    assert held[0] == held[2] and int(held[0]) > 20


def test_there_are_scenarios_for_the_honest_and_for_attackers():
    assert {p.stem for p in SCENARIOS} >= {"honest", "attackers"}


def test_what_is_not_as_expected_is_named_with_its_line_and_exit_1(tmp_path):
    r = simulate(tmp_path, "-", stdin="# two violations\nstream a every=1h for=2h kinds=violation\n"
                                      "expect a standing=good quarantined=1\n")
    assert r.returncode == 1
    assert "not as expected, line 3: a quarantined=1" in r.stdout
    assert "1 of 2 expectations hold" in r.stdout


def test_the_literal_numbers_are_a_configuration(tmp_path):
    config = tmp_path / "literal.yaml"
    config.write_text("agixt:\n  trust:\n    error_is_failure: true\n    hysteresis: 0\n    recover_per_hour: 0\n")
    text = "stream a every=1h for=1h kinds=error\nexpect a trust-at-most=0.4 trust-at-least=0.4\n"
    assert simulate(tmp_path, "--config", config, "-", stdin=text).returncode == 0
    assert simulate(tmp_path, "-", stdin=text).returncode == 1


def test_a_trace_shows_each_run(tmp_path):
    r = simulate(tmp_path, "--trace", "-", stdin="stream a every=1h for=3h\n")
    assert r.returncode == 0
    assert [line.split()[0] for line in r.stdout.splitlines()[:3]] == ["0h00m", "1h00m", "2h00m"]


@pytest.mark.parametrize("text,words", [
    ("", "no stream"),
    ("run a\n", "line 1: the line begins with run"),
    ("stream a every=x\n", "line 1: every x"),
    ("\nstream a kinds=nothing\n", "line 2: kinds nothing"),
    ("stream a\nstream a\n", "line 2: stream a"),
    ("stream a colour=red\n", "line 1: the key colour"),
    ("expect b standing=good\n", "line 1: expect b"),
    ("stream a every=0s\n", "every and shapes above 0"),
    ("stream a every=1ms for=365d\n", "at most a million runs"),
    ("stream a\nexpect a luck=good\n", "line 2: the expectation luck"),
    ("stream " + "x" * 60 + "\n", "1 to 47 letters"),
])
def test_a_file_that_cannot_be_read_is_named_with_line_and_remedy(tmp_path, text, words):
    r = simulate(tmp_path, "-", stdin=text)
    assert r.returncode == 2 and words in r.stderr and not r.stdout


def test_usage(tmp_path):
    assert simulate(tmp_path).returncode == 2
    assert simulate(tmp_path, "a", "b").returncode == 2
    assert simulate(tmp_path, tmp_path / "none.sim").returncode == 2
