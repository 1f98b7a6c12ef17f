"""progress.py - what a suite had done when it ended, by the file that progress_plugin.py wrote."""
import json


class Summary:
    def __init__(self):
        self.collected, self.passed, self.failed, self.skipped, self.running = 0, set(), {}, {}, []

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
    found.passed -= set(found.failed) | set(found.skipped)
    found.running = [name for name in started if name not in found.failed and name not in found.skipped]
    found.passed -= set(found.running)
    return found
