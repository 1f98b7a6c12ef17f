"""Short programs as people ask models for: the same output plain, at low and in a session (tests/compat).

A quarter of them in one run each; with SANDBOX_TEST_PROOF=all (`make proof`) all, each as a run and a job, too.
"""
import json
import os
import subprocess
import sys

import helpers
import load
import pytest
from service import Service
from test_sessions import Session

sys.path.insert(0, str(helpers.ROOT / "tests/compat"))
import short_programs  # noqa: E402

PROOF = os.environ.get("SANDBOX_TEST_PROOF") == "all"
PROGRAMS = short_programs.programs()
SOME = PROGRAMS if PROOF else dict(list(PROGRAMS.items())[::4])  # each starts a process and imports what it likes
PLAIN = ["/usr/bin/python3", "-I"]
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "/tmp"}


@pytest.fixture(scope="module")
def session():
    helpers.need_language("python")
    with Service(load.UNLIMITED) as s:
        yield Session(s, ttl=3600)


def plain(text, place):
    (place / "main.py").write_text(text)
    done = subprocess.run([*PLAIN, place / "main.py"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env=ENVIRONMENT, cwd=place, timeout=120)
    return [done.returncode, done.stdout]


def ended(result):
    return [result["exit_code"], result["stdout"]]


def differing(want, got):
    return {name: (want[name], got.get(name)) for name in want if got.get(name) != want[name]}


def test_short_programs_say_the_same_plain_at_low_and_in_a_session(session, box, tmp_path):
    whole = short_programs.as_one(SOME)
    code, text = plain(whole, tmp_path)
    assert code == 0 and len(PROGRAMS) >= 200, (code, text[:500])
    want = json.loads(text)
    at_low = box.json("python", whole, level="low")
    jobs = session.run(language="python", code=whole)
    for where, result in (("low", at_low), ("session", jobs)):
        assert result["reason"] == "completed", (where, result)
        found = differing(want, json.loads(result["stdout"]))
        assert set(found) == set(SOME) & set(short_programs.DIFFERS), (where, found)
    assert len(short_programs.DIFFERS) <= 0.005 * len(PROGRAMS)
    page = (helpers.ROOT / "docs/sessions.md").read_text()
    for name, why in short_programs.DIFFERS.items():
        assert "| %s | %s |" % (name, why) in page, name


def test_each_short_program_by_itself(session, tmp_path):
    if not PROOF:
        pytest.skip("%d programs as runs, jobs and cells of their own take minutes: `make proof`" % len(PROGRAMS))
    want = {name: plain(text, tmp_path) for name, text in PROGRAMS.items()}
    runs, jobs = {}, {}
    for name, text in PROGRAMS.items():
        runs[name] = ended(session.service.run(text, risk_level="low", key=session.key))
        jobs[name] = ended(session.run(language="python", code=text))
    for where, got in (("low", runs), ("session", jobs)):
        assert set(differing(want, got)) == set(short_programs.DIFFERS), (where, differing(want, got))
