"""./check itself: no test reaches the machine's own state, and a suite that runs out of time says what it has done."""
import json
import os
import re
import subprocess
import sys
import threading

import pytest
from helpers import ROOT, is_root, poll, skip

sys.path.insert(0, str(ROOT / "tests"))
import ahead  # noqa: E402
import budget  # noqa: E402
import progress  # noqa: E402
import run as check  # noqa: E402

SUITE = """
import pathlib, time, pytest
here = pathlib.Path(__file__).parent
def test_good(): pass
def test_bad(): assert 1 == 2, "because"
@pytest.mark.skip(reason="for a reason")
def test_skipped(): pass
def test_slow():
    (here / "slow").touch()
    time.sleep(600)
"""


def made(tmp_path, words):
    """A tree as pytest() of run.py wants it, with one suite. -> its directory"""
    (tmp_path / "build").mkdir()
    (tmp_path / "suite").mkdir()
    (tmp_path / "suite/test_it.py").write_text(words)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/progress_plugin.py").write_text((ROOT / "tests/progress_plugin.py").read_text())
    return tmp_path


def run_suite(where, **more):
    """With one worker: how many there are is nothing to what it says at the end."""
    return check.pytest("it", str(where), env=check.clean_environment(str(where)), suites=["suite"],
                        options=["-n", "1"], **more)


def test_a_suite_that_runs_out_of_time_says_what_it_has_done(tmp_path, monkeypatch, capsys):
    where = made(tmp_path, SUITE)

    class UntilOnlyTheSlowOneIsLeft(budget.Budget):
        def spend(self):
            return super().spend() and not (len(progress.read(where / "build/progress-it.jsonl").failed) == 1
                                            and (where / "suite/slow").exists())
    monkeypatch.setattr(check.budget, "Budget", UntilOnlyTheSlowOneIsLeft)
    counts = run_suite(where)
    said = capsys.readouterr().out
    assert counts[0] == 1 and counts[1] == 2 and counts[2] <= 1, said  # the suite's own failure, and one for its end
    assert "FAILED suite/test_it.py::test_bad: " in said and "because" in said
    assert "still running: suite/test_it.py::test_slow" in said
    assert "did not come to its end" in said and "1 were running" in said, said


@pytest.mark.parametrize("words, counts",
                         [("def test_a(): pass", (1, 0, 0)), ("def test_a(): assert 0", (0, 1, 0)),
                          ("import nothing_of_this_name", (0, 1, 0)),
                                           ("import pytest\ndef test_a(): pytest.skip('why')", (0, 0, 1)),
                          ("def test_a(): import os; os._exit(3)", (0, 1, 0))])
def test_the_counts_of_a_suite_that_ends(tmp_path, capsys, words, counts):
    assert run_suite(made(tmp_path, words)) == counts, capsys.readouterr().out


def test_the_end_of_a_suite_at_which_workers_are_idle_is_measured():
    both, one = [(1.0, 1), (1.5, 1), (4.0, -1), (4.1, 1), (6.0, -1)], [(9.5, -1)]
    assert progress.span(both + one) == (1.0, 9.5, 5.4)
    assert progress.span([(2.0, 1), (3.0, -1)]) == (2.0, 3.0, 1.0)


def test_a_runner_of_ours_that_dies_counts_what_it_said_until_then():
    text = "ok a\nok b # SKIP no root\nnot ok c\nok d\n"
    assert check.counted("unit", subprocess.CompletedProcess([], 124, text)) == (2, 2, 1)
    whole = text.replace("not ok", "ok") + "3 passed, 0 failed, 1 skipped\n"
    assert check.counted("unit", subprocess.CompletedProcess([], 0, whole)) == (3, 0, 1)


def test_seconds_count_less_on_a_busy_machine_and_never_for_nothing():
    now, load = [0.0], [1.0]
    b = budget.Budget(100, clock=lambda: now[0], crowd=lambda: load[0])
    now[0] = 50
    assert b.spend() and b.spent == 50
    load[0], now[0] = 4.0, 90
    assert b.spend() and b.spent == 60
    load[0], now[0] = 1e9, 399
    assert b.spend()
    now[0] = 400
    assert not b.spend(), "however busy it is, there is an end"
    assert budget.crowd(load=8.0, processors=2) == 4.0 and budget.crowd(load=0.5, processors=2) == 1.0


STATE = """
import json, os, sys
sys.path.insert(0, sys.argv[1])
import real_state
there, absent = sys.argv[2:]
s = real_state.RealState((there, absent))
why_not = s.cover()
clean = s.touched()
for place in (there, absent):
    os.makedirs(place, exist_ok=True)
    open(place + "/audit.jsonl", "a").write("x")
print(json.dumps([why_not, clean, s.touched(), s.touched()]))
"""


def test_what_is_written_to_the_machines_own_state_is_found_and_where_it_is_there_prevented(tmp_path):
    there, absent = tmp_path / "there", tmp_path / "absent"
    there.mkdir()
    (there / "audit.jsonl").write_text("mine")
    done = subprocess.run([sys.executable, "-B", "-c", STATE, ROOT / "tests", there, absent], capture_output=True,
                          text=True, check=True)
    why_not, clean, touched, again = json.loads(done.stdout)
    assert clean == again == [] and str(absent / "audit.jsonl") in touched and str(there / "audit.jsonl") in touched
    assert (why_not is None) == is_root() or why_not
    if why_not is None:
        assert (there / "audit.jsonl").read_text() == "mine"


def test_a_phase_that_writes_there_has_a_failure(tmp_path, monkeypatch, capsys):
    place = tmp_path / "log"
    place.mkdir()
    state = check.real_state.RealState((str(place),))
    monkeypatch.setattr(check, "PHASES",
                        {"good": lambda: (1, 0, 0), "bad": lambda: (place / "a.log").write_text("x") and (1, 0, 0)})
    assert check.run_phases(["good"], state) == 0
    assert check.run_phases(["good", "bad"], state) == 1
    assert "%s/a.log" % place in capsys.readouterr().out


def test_phases_that_run_beside_another_count_and_say_what_they_said_behind_it(tmp_path, monkeypatch, capsys):
    meet = threading.Barrier(2, timeout=60)  # broken, unless both run at once
    name, others = check.BESIDE

    def phase(word, counts, waits=False):
        if waits:
            meet.wait()
        check.say(word)
        return counts
    monkeypatch.setattr(check, "PHASES",
                        {"first": lambda: phase("one", (1, 0, 0)), name: lambda: phase("two", (2, 0, 0), True),
                                          others[0]: lambda: phase("three", (4, 0, 0), True),
                         others[1]: lambda: phase("four", (8, 1, 0))})
    state = check.real_state.RealState((str(tmp_path / "absent"),))
    assert check.run_phases(["first", *reversed(others[:2]), name], state) == 1
    said = re.sub(r", \d+ s$", "", capsys.readouterr().out, flags=re.M).splitlines()
    assert said == ["== first", "one", "first: 1 passed, 0 failed, 0 skipped", "== " + name, "two",
                    name + ": 2 passed, 0 failed, 0 skipped"] + [
        line for n, word, counts in ((others[1], "four", "8 passed, 1 failed"),
                                     (others[0], "three", "4 passed, 0 failed"))
        for line in ("== " + n, word, "%s: %s, 0 skipped" % (n, counts))] + ["15 passed, 1 failed, 0 skipped"]
    # alone: as any other
    assert check.run_phases([others[1]], state) == 1 and "== %s\nfour" % others[1] in capsys.readouterr().out


def test_what_is_made_ahead_is_waited_for_and_not_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr(ahead, "PATIENCE", 1)
    made = ahead.Ahead(str(tmp_path))
    with made.making({"quick": ["/bin/echo", "made"], "slow": ["/bin/sleep", "600"]}):
        assert not poll(lambda: not made.done["quick"].is_set(), 60)
        assert (made.result("quick").returncode, made.result("quick").stdout) == (0, "made\n")
        late = made.result("slow")
    assert late.returncode == 124 and late.stdout.startswith("still running after ") and "busy machine" in late.stdout


def test_an_unknown_phase_is_named():
    if not os.access(ROOT / "tests/run.py", os.R_OK):
        skip("tests/run.py is not in this copy of the tree")
    done = subprocess.run([sys.executable, "-B", ROOT / "tests/run.py", "unti"], capture_output=True, text=True)
    assert done.returncode == 2 and "unknown phase unti: known are unit " in done.stdout
