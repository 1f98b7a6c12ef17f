#!/usr/bin/python3
"""progress.py - what a suite had done when it ended, by the file that progress_plugin.py wrote.

`tests/progress.py build/progress-root.jsonl` lists what cost most: files, then tests; seconds of the clock, seconds of
processors, number of tests. Before them, when the first test began and the last ended (seconds from the suite's start), and for how long at the
end a worker had nothing to do.
"""
import collections
import json
import sys


class Summary:
    def __init__(self):
        self.collected, self.passed, self.failed, self.skipped, self.running, self.costs, self.moments = 0, set(), {}, {}, [], {}, []

    @property
    def counts(self):
        return (len(self.passed), len(self.failed), len(self.skipped))

    @property
    def not_run(self):
        return max(0, self.collected - sum(self.counts) - len(self.running))


def read(path):
    found, started = Summary(), {}
    try:
        with open(path, encoding="utf-8") as f:
            lines = f.read().split("\n")[:-1]  # the last may be half a line
    except FileNotFoundError:
        return found
    for line in map(json.loads, lines):
        name = line.get("test")
        if "at" in line:
            found.moments.append((line["at"], 1 if line["what"] == "start" else -1))
        if "collected" in line:
            found.collected = line["collected"]
        elif line["what"] == "start":
            started[name] = True
        elif line["what"] == "end":
            started.pop(name, None)
        elif line["what"] == "failed":
            found.failed[name] = line["why"]
        elif line["what"] == "skipped":
            found.skipped[name] = line["why"]
        elif line["what"] == "passed":
            found.passed.add(name)
        elif line["what"] == "cost":
            found.costs[name] = (line["seconds"], line["cpu"])
    found.passed -= set(found.failed) | set(found.skipped)
    found.running = [name for name in started if name not in found.failed and name not in found.skipped]
    found.passed -= set(found.running)
    return found


def dearest(costs, number=60):
    """costs: name -> (seconds of the clock, of processors). -> lines: the sum, then files and tests by the clock"""
    tests = {name: (*cost, 1) for name, cost in costs.items()}
    files = collections.defaultdict(lambda: [0.0, 0.0, 0])
    for name, cost in tests.items():
        where = name.partition("::")[0]
        files[where] = [a + b for a, b in zip(files[where], cost)]
    total = [sum(column) for column in zip((0.0, 0.0, 0), *files.values())]
    ranked = [("all", total)]
    for found in (files, tests):
        ranked += sorted(found.items(), key=lambda pair: -pair[1][0])[:number]
    return ["%8.1f %8.1f %5d  %s" % (*cost, name) for name, cost in ranked]


def span(moments):
    """moments: (seconds, 1 for a test that began or -1 for one that ended). -> (begin of the first, end of the last, seconds before that end in which
    fewer ran than at most)"""
    count, running = 0, []
    for at, change in moments:
        count += change
        running.append((at, count))
    most = max(n for _, n in running)
    # between the end of a test and the start of the next one is less: the last time that all of them were busy counts
    return running[0][0], running[-1][0], round(running[-1][0] - max(at for at, n in running if n == most), 2)


if __name__ == "__main__":
    summary = read(sys.argv[1])
    if summary.moments:
        print("%.1f s: the first test begins; %.1f s: the last one ends; %.1f s at the end for fewer than all workers" % span(summary.moments))
    print("\n".join(dearest(summary.costs)))
