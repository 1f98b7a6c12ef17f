#!/usr/bin/python3
"""map.py - writes the generated part of tests/README.md: for each module its unit tests and fuzzers, and each
integration test with what it says of itself.

    tests/map.py            writes it
    tests/map.py --check    exit code 1 when it is not as it would be written

A unit test or fuzzer belongs to the modules whose headers it includes, but src/base, which all include: that one has
those that include nothing else.
"""
import ast
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parents[1]
README = TOP / "tests/README.md"
MARK = "<!-- from here on: tests/map.py -->\n"


def modules_of(path):
    found = {name.split("/")[0] for name in re.findall(r'^#include "([\w/]+\.h)"', path.read_text(), re.M)
             if "/" in name}
    return found - {"base"} or found & {"base"}


def first_sentence(path):
    words = ast.get_docstring(ast.parse(path.read_text())) or ""
    words = " ".join(words.split("\n\n")[0].split())
    words = re.sub(r"^%s\s*[-:]\s*" % re.escape(path.name), "", words)
    return re.split(r"(?<=[.:;]) ", words)[0].rstrip(".:;").replace("|", "/")


def generated():
    native = {m.name: ([], []) for m in sorted((TOP / "src").iterdir()) if m.is_dir()}
    for column, pattern in enumerate(("tests/unit/test_*.c", "tests/fuzz/fuzz_*.c")):
        for path in sorted(TOP.glob(pattern)):
            for module in modules_of(path) & set(native):
                native[module][column].append(re.sub(r"^(test|fuzz)_", "", path.stem))
    yield "| module | unit tests (`build/unit/run`, files `tests/unit/test_*.c`) | fuzzers |\n|---|---|---|\n"
    for module, (units, fuzzers) in native.items():
        yield "| `src/%s` | %s | %s |\n" % (module, " ".join(units), " ".join(fuzzers))
    yield "\n| integration test | what it says of itself |\n|---|---|\n"
    places = ("tests/guards", "tests/integration", "tests/integration/service", "tests/integration/engine",
              "tests/escape", "sdk/python/tests")
    for place in places:
        for path in sorted((TOP / place).glob("test_*.py")):
            yield "| `%s` | %s |\n" % (path.relative_to(TOP), first_sentence(path))


def main():
    head = README.read_text().split(MARK)[0]
    wanted = head + MARK + "\n" + "".join(generated())
    if sys.argv[1:] == ["--check"]:
        return int(README.read_text() != wanted)
    README.write_text(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
