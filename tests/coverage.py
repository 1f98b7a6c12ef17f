#!/usr/bin/python3
"""coverage.py BUILD_DIRECTORY - the lines that were reached, by module: gcovr's numbers of build/coverage, a row for
each directory of src/."""
import collections
import json
import os
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def main():
    call = ["gcovr", "--root", TOP, "--filter", "src/", "--json", "-j2", "--gcov-ignore-parse-errors", sys.argv[1]]
    done = subprocess.run(call, cwd=TOP, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        print(done.stderr[-2000:])
        return 1
    lines, reached = collections.Counter(), collections.Counter()
    for file in json.loads(done.stdout)["files"]:
        module = file["file"].split("/")[1]
        counts = [line["count"] for line in file["lines"] if not line.get("gcovr/noncode")]  # braces and declarations
        lines[module] += len(counts)
        reached[module] += sum(map(bool, counts))
    print("%-12s %8s %8s" % ("module", "lines", "reached"))
    for module in sorted(lines):
        print("%-12s %8d %7.1f%%" % (module, lines[module], 100.0 * reached[module] / max(1, lines[module])))
    total = sum(lines.values())
    print("%-12s %8d %7.1f%%" % ("all", total, 100.0 * sum(reached.values()) / max(1, total)))
    return 0 if total else 1


if __name__ == "__main__":
    sys.exit(main())
