"""test_native_suites.py - the list of what only the native backend has names what exists."""
import re

from engine import engines, native_suites

TESTS = [p for s in native_suites.SUITES
         for p in ([engines.ROOT / s] if s.endswith(".py") else (engines.ROOT / s).glob("test_*.py"))]


def test_each_suite_is_there():
    assert len(TESTS) >= len(native_suites.SUITES) and all(p.is_file() for p in TESTS)


def test_the_list_names_tests_and_attacks_that_exist_and_says_why():
    defined = set(re.findall(r"^def (test_\w+)", "\n".join(p.read_text() for p in TESTS), re.M))
    named = {*native_suites.NATIVE_ONLY, *native_suites.LEAN_WITHOUT, *native_suites.LEAN_CASES,
             *native_suites.LEAN_AT_BOTH_ENDS}
    assert named <= defined, named - defined
    other_files = "\n".join(p.read_text() for p in (engines.ROOT / "tests/integration").glob("test_*.py"))
    assert all("def %s(" % name in other_files for name in native_suites.LEAN_WITHOUT_AS_USER)
    sources = engines.ROOT / "tests/escape/attacks"
    attacks = {p.stem: re.search(r"^(?:#| \*) levels: (.+)$", p.read_text(), re.M) for p in sources.iterdir()}
    for name, reason in native_suites.ATTACKS.items():
        attack, _, level = name.partition("-")
        assert attack in attacks and reason, name
        assert not level or level in (attacks[attack][1] if attacks[attack] else "low medium high").split(), name


def test_what_is_chosen_for_podman_exists():
    text = "\n".join(p.read_text() for p in TESTS)
    for word in native_suites.LEAN_ON_PODMAN.split(" or "):
        assert word in text, word
