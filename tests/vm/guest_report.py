"""What the guest's test files share: one line a test, and looking at the machine from outside a sandbox.

A test is a function that returns (passed) or raises Skip or AssertionError; `run_tests` calls each, goes on after a
failure and returns how many failed. Lines begin with `ok`, `FAIL` or `skip`, which guest-tests.sh counts; everything
else is for the reader and begins with `   `.

Seconds are those of the machine on which these tests were written, an emulated guest on a host with nothing else to do.
Each limit is `seconds(n)`, which multiplies them by how much slower this guest is: `guest_report.py pace` measures that
once, before the first test, and guest-run.sh hands it to all of them (VM_PACE).
"""
import os
import subprocess
import sys
import time
import traceback

CGROUPS = "/sys/fs/cgroup"
STAGE = os.environ.get("STAGE", "/work-in-guest")
PROBE = os.path.join(STAGE, ".vm/probe")
AS_TESTER = os.path.join(STAGE, "tests/vm/as-tester")
PACE = max(1.0, float(os.environ.get("VM_PACE") or 1))
REFERENCE_S = 0.9   # what measured_pace() times, in the guest of a quiet host
MOST_PACE = 20.0


def measured_pace():
    """How many times slower this machine starts a program than the reference. The host may be busier later than now, so
    the second slowest of seven counts. At MOST_PACE the tests say nothing any more that a quieter host would not."""
    times = []
    for _ in range(7):
        begun = time.monotonic()
        subprocess.run([sys.executable, "-c", "import json, subprocess"], check=True)
        times.append(time.monotonic() - begun)
    return min(MOST_PACE, max(1.0, sorted(times)[-2] / REFERENCE_S))


def seconds(n):
    return n * PACE


class Skip(Exception):
    pass


def expect(condition, text):
    """An assertion that python -O keeps and whose text is the whole message."""
    if not condition:
        raise AssertionError(text)


def note(text):
    for line in str(text).rstrip("\n").split("\n"):
        print("   " + line, flush=True)


def run_tests(place, tests):
    failed = 0
    for name, test in tests:
        begun = time.monotonic()
        try:
            test()
            verdict, why = "ok", ""
        except Skip as skip:
            verdict, why = "skip", ": %s" % skip
        except AssertionError as wrong:
            verdict, why = "FAIL", ": %s" % wrong
        except Exception as broken:                     # a broken test is a failed one, and the next ones still run
            where = traceback.extract_tb(sys.exc_info()[2])[-1]
            verdict, why = "FAIL", ": %s: %s (%s:%d)" % (type(broken).__name__, broken, where.filename, where.lineno)
        failed += verdict == "FAIL"
        why = why.replace("\n", "\\n")
        print("%s %s: %s (%.1f s)%s" % (verdict, place, name, time.monotonic() - begun, why), flush=True)
    return failed


def read(path):
    with open(path) as file:
        return file.read().strip()


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def wait_until(condition, limit_s):
    """The condition's first true value, or its last false one after that many of the reference's seconds."""
    deadline = time.monotonic() + seconds(limit_s)
    while True:
        value = condition()
        if value or time.monotonic() > deadline:
            return value
        time.sleep(0.05)


def counters(path):
    """A flat-keyed cgroup file (memory.events, pids.events, cpu.stat) as a dictionary."""
    return {key: int(value) for key, value in (line.split() for line in read(path).splitlines())}


# ---- what is left behind -----------------------------------------------------------------------------------------

# systemd's own units come and go while we test, scopes of as-tester among them.
UNIT_SUFFIXES = (".service", ".scope", ".slice", ".mount", ".socket", ".automount", ".timer", ".swap")


def cgroups():
    found = set()
    for directory, names, _ in os.walk(CGROUPS):
        for name in names:
            if not name.endswith(UNIT_SUFFIXES) or "sandbox" in name:
                found.add(os.path.join(directory, name))
    return found


def mounts():
    """Mount points and types; automounts of systemd may trigger at any time."""
    with open("/proc/self/mountinfo") as file:
        rows = [line.split() for line in file]
    return {(row[4], row[row.index("-") + 1]) for row in rows if row[4] != "/proc/sys/fs/binfmt_misc"}


def processes():
    """User processes as (pid, start time, name), so that a pid used again counts as new."""
    found = set()
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            text = read("/proc/%s/stat" % pid)
        except OSError:
            continue
        name, rest = text[text.index("(") + 1:text.rindex(")")], text[text.rindex(")") + 2:].split()
        is_kernel_thread = pid == "2" or rest[1] == "2"
        if not is_kernel_thread and not name.startswith(("systemd", "(sd", "dbus", "(dbus")):
            found.add((int(pid), rest[19], name))
    return found


def temporary_files():
    found = set()
    for directory in ("/tmp", "/var/tmp", "/dev/shm"):
        found |= {os.path.join(directory, name) for name in os.listdir(directory)
                  if not name.startswith("systemd-private")}
    return found


class Outside:
    """The machine before a sandbox ran; `leftovers` says what is there since."""

    LOOKS = {"cgroup": cgroups, "mount": mounts, "process": processes, "file": temporary_files}

    def __init__(self):
        self.before = {kind: look() for kind, look in self.LOOKS.items()}

    def new(self):
        return ["%s %s" % (kind, thing) for kind, look in self.LOOKS.items()
                for thing in sorted(look() - self.before[kind])]

    def leftovers(self, limit_s=5):
        """What is still there after a moment: an answer may come before the last rmdir."""
        wait_until(lambda: not self.new(), limit_s)
        return self.new()


if __name__ == "__main__" and sys.argv[1:] == ["pace"]:
    print("%.1f" % measured_pace())
