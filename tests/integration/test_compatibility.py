"""Everyday programs give the same answers inside a sandbox as outside, for what is installed here;
docs/compatibility.md has them all."""
import importlib.util
import os
import re
import sys
import tempfile

import pytest
from helpers import ROOT, skip

sys.path.insert(0, str(ROOT / "tests/compat"))
from programs import PROGRAMS  # noqa: E402

SPEC = importlib.util.spec_from_file_location("compat_run", ROOT / "tests/compat/run.py")  # another run.py is tests/'s
compat = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(compat)


@pytest.fixture(scope="module")
def place():
    with tempfile.TemporaryDirectory(prefix="compat-") as name:
        os.chmod(name, 0o755)
        compat.environment(name)
        yield name


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.name)
def test_a_program_says_the_same_inside_and_outside(program, place):
    missing = compat.absent(program)
    if missing:
        if os.environ.get("SANDBOX_MUST_WORK") == "1" and program.package in ("bash", "coreutils", "tar"):
            pytest.fail("%s is not installed" % program.package)
        pytest.skip("%s is not installed (apt-get install %s)" % (" ".join(missing), program.package))
    # an ordinary user: at the level that permits less
    found = compat.verdict(program, place, compat.LEVELS if os.geteuid() == 0 else compat.LEVELS[-1:])
    if found.plain[0] and os.geteuid() != 0:
        pytest.skip("%s does not run for this user outside either: %r" % (program.name, found.plain[2][-200:]))
    assert not found.faults


def test_the_table_has_these_programs_and_their_explanations():
    page = ROOT / "docs/compatibility.md"
    if not page.exists():
        skip("docs/ is not in this copy of the tree")
    rows = [[cell.strip() for cell in line.strip("|\n").split(" |")]
            for line in re.findall(r"^\| (?!program|---).*$", page.read_text(), re.M)]
    found = {row[0]: row[1:] for row in rows}
    assert len(found) >= compat.LEAST
    assert not set(found) - {p.name for p in PROGRAMS}, "tests/compat/run.py --write"
    for program in PROGRAMS:
        if program.name in found:
            package, low, medium, why = found[program.name]
            assert (package, {"low": low, "medium": medium}) == (program.package,
                                                                 {level: "differs" if level in program.differs
                                                                  else "same" for level in compat.LEVELS})
            assert all(text in why for text in program.differs.values())
