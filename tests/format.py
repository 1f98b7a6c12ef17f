#!/usr/bin/python3
"""The form of the sources: clang-format over every C file, and 120 columns for Python and prose.

Lines that cannot be broken do not count: rows of tables, fenced blocks, and lines that are mostly one word (an
address). wide-files.txt lists files that were wider when this began; a file may leave the list and none may come.
`format.py --list` prints what the list would be.
"""
import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# measured by their hashes: never to be changed
FROZEN = ("bench/blind2/", "bench/blind3/", "bench/blind4/", "bench/blind5/", "bench/blind6/")
WIDTH = 120


def files(*patterns):
    said = subprocess.run(["git", "ls-files", *patterns], cwd=TOP, stdout=subprocess.PIPE, text=True)
    if said.returncode or not said.stdout:  # a copy without .git
        return [os.path.relpath(os.path.join(folder, name), TOP)
                for top in ("src", "tests", "sdk", "integrations", "docs", "scripts", "bench", "deploy")
                for folder, _, names in os.walk(os.path.join(TOP, top)) for name in names
                if any(name.endswith(p[1:]) for p in patterns)]
    return [path for path in said.stdout.split() if not path.startswith(FROZEN)]


def wide_lines(path):
    is_fenced, found = False, []
    with open(os.path.join(TOP, path), encoding="utf-8", errors="replace") as f:
        for number, line in enumerate(f, 1):
            line = line.rstrip("\n")
            is_fenced ^= path.endswith(".md") and line.lstrip().startswith("```")
            can_break = not (path.endswith(".md")
                             and (is_fenced or line.startswith("|"))) and not re.match(r"^.{0,60}\S{90,}", line)
            if len(line) > WIDTH and can_break:
                found.append("%s:%d: %d columns" % (path, number, len(line)))
    return found


def main():
    wide = {path: found for path in files("*.py", "*.md") if (found := wide_lines(path))}
    if sys.argv[1:] == ["--list"]:
        print("\n".join(sorted(wide)))
        return 0
    with open(os.path.join(TOP, "tests/wide-files.txt"), encoding="utf-8") as f:
        known = set(f.read().split())
    failed = passed = 0
    for path, found in sorted(wide.items()):
        if path not in known:
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
