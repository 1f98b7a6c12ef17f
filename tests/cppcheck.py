#!/usr/bin/python3
"""cppcheck over src/, compared with cppcheck-baseline.txt: a finding that is not there fails, one that is gone is named
so that its line can be removed.

    tests/cppcheck.py             compares
    tests/cppcheck.py --write     writes the baseline

A line of the baseline is «file id function-or-text», without line numbers, so that it survives changes elsewhere in the
file. What cppcheck has seen of a file is kept in build/cppcheck: only changed files cost time.
"""
import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BASELINE = os.path.join(TOP, "tests/cppcheck-baseline.txt")
CALL = ["cppcheck", "-q", "-j2", "--enable=warning,portability", "--std=c17", "--inline-suppr", "-Isrc",
        "-D_GNU_SOURCE", "-DVERSION=\"\"", "-D__x86_64__",
        "--cppcheck-build-dir=build/cppcheck", "--template={file}\t{id}\t{message}\t{line}",
        "--suppress=missingIncludeSystem", "--suppress=normalCheckLevelMaxBranches", "src"]


def findings():
    os.makedirs(os.path.join(TOP, "build/cppcheck"), exist_ok=True)
    done = subprocess.run(CALL, cwd=TOP, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True)
    found = {}
    for line in done.stderr.splitlines():
        parts = line.split("\t")
        if len(parts) == 4:
            found["\t".join(parts[:3])] = parts[3]
    return found


def main():
    found = findings()
    if sys.argv[1:] == ["--write"]:
        with open(BASELINE, "w", encoding="utf-8") as f:
            f.writelines(line + "\n" for line in sorted(found))
        return 0
    with open(BASELINE, encoding="utf-8") as f:
        known = set(f.read().splitlines())
    new = sorted(set(found) - known)
    for line in new:
        print("not ok " + re.sub("\t", ":" + found[line] + ": ", line, count=1).replace("\t", ": "))
    for line in sorted(known - set(found)):
        print("# gone, remove its line from tests/cppcheck-baseline.txt: " + line.replace("\t", ": "))
    print("%d passed, %d failed, 0 skipped" % (1, len(new)))
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main())
