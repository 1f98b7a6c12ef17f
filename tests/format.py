#!/usr/bin/python3
"""The form of the sources: clang-format over every C file, and 120 columns for Python and prose.

Lines that cannot be broken do not count: rows of tables, blocks of text as it is, programs that a test holds as a
string of several lines, and lines that are mostly one word (an address).
"""
import os
import re
import subprocess
import sys
import token
import tokenize

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# measured by their hashes: never to be changed
FROZEN = ("bench/blind", "bench/mended")
WIDTH = 120


def files(*patterns):
    said = subprocess.run(["git", "ls-files", *patterns], cwd=TOP, stdout=subprocess.PIPE, text=True)
    if said.returncode or not said.stdout:  # a copy without .git
        return [os.path.relpath(os.path.join(folder, name), TOP)
                for top in ("src", "tests", "sdk", "integrations", "docs", "scripts", "bench", "deploy")
                for folder, _, names in os.walk(os.path.join(TOP, top)) for name in names
                if any(name.endswith(p[1:]) for p in patterns)]
    return [path for path in said.stdout.split() if not path.startswith(FROZEN)]


def lines_of_programs(path):
    """-> numbers of the lines of strings that span lines and are no docstrings"""
    inside, before = set(), token.NEWLINE
    with open(os.path.join(TOP, path), "rb") as f:
        for t in tokenize.tokenize(f.readline):
            if t.type == token.STRING and before not in (token.NEWLINE, token.INDENT, token.ENCODING):
                inside.update(range(t.start[0], t.end[0] + 1 if t.start[0] < t.end[0] else t.start[0]))
            if t.type not in (token.COMMENT, tokenize.NL):
                before = t.type
    return inside


def lines_of_blocks(lines):
    """-> numbers of a document's lines that stand as they are: fenced, indented by four, or rows of a table"""
    is_fenced, inside = False, set()
    for number, line in enumerate(lines, 1):
        is_fenced ^= line.lstrip().startswith("```")
        if is_fenced or line.startswith(("|", "    ")):
            inside.add(number)
    return inside


def wide_lines(path):
    with open(os.path.join(TOP, path), encoding="utf-8", errors="replace") as f:
        lines = f.read().split("\n")
    wide = [number for number, line in enumerate(lines, 1)
            if len(line) > WIDTH and not re.match(r"^.{0,60}\S{90,}", line)]
    if not wide:
        return []
    kept = lines_of_blocks(lines) if path.endswith(".md") else lines_of_programs(path)
    return ["%s:%d: %d columns" % (path, number, len(lines[number - 1])) for number in wide if number not in kept]


def main():
    wide = {path: found for path in files("*.py", "*.md") if (found := wide_lines(path))}
    failed = passed = 0
    for path, found in sorted(wide.items()):
        print("not ok %s" % "\n  ".join(found[:5]))
        failed += 1
    sources = files("*.c", "*.h")
    for at in range(0, len(sources), 40):
        some = sources[at:at + 40]
        done = subprocess.run(["clang-format", "--dry-run", "-Werror", *some], cwd=TOP, stderr=subprocess.PIPE,
                              text=True)
        bad = sorted(set(re.findall(r"^([^\s:]+):\d+:\d+: error", done.stderr, re.M)))
        for path in bad:
            print("not ok %s is not as clang-format writes it: clang-format -i %s" % (path, path))
        failed, passed = failed + len(bad) + int(bool(done.returncode and not bad)), passed + len(some) - len(bad)
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
