"""What the scan finds in a program it finds when that program stands inside another.

The forms are those of bench/scan/embedded.py, a part of them."""
import importlib.util
import itertools

import pytest

from helpers import LIBEXEC, ROOT

spec = importlib.util.spec_from_file_location("embedded", ROOT / "bench/scan/embedded.py")
embedded = importlib.util.module_from_spec(spec)
spec.loader.exec_module(embedded)
every_sample = embedded.samples


@pytest.fixture(params=[9])
def fewer(monkeypatch, request):
    """One sample of so many: all of them in all forms take minutes."""
    monkeypatch.setattr(embedded, "samples", lambda kind: itertools.islice(every_sample(kind), 0, None, request.param))


def rate(rows):
    return sum(len(missed) for _, missed in rows.values()), sum(n for n, _ in rows.values())


def test_risky_programs_are_found_in_every_form(fewer):
    rows = embedded.measure(str(LIBEXEC / "sandbox-scan"), "risky", list(embedded.FORMS))
    missed, count = rate(rows)
    assert count > 200 and missed <= count / 20, {k: [m[0] for m in v[1]] for k, v in rows.items() if v[1]}


def test_ordinary_programs_are_not_raised_by_being_inside(fewer):
    tried = {"heredoc", "heredoc_pipe", "cat_file", "cat_executable", "tee_file", "herestring", "base64_file",
             "py_input", "py_file", "py_import"}
    forms = [f for f in embedded.FORMS if f.split(":")[1] in tried]
    rows = embedded.measure(str(LIBEXEC / "sandbox-scan"), "ordinary", forms)
    raised, count = rate(rows)
    assert count > 60 and raised <= count / 33, {k: [m[0] for m in v[1]] for k, v in rows.items() if v[1]}
