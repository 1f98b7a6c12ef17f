#!/usr/bin/python3
"""Everyday programs inside a sandbox and outside: each script of programs.py plain, at low and at medium, and the
outputs compared.

    tests/compat/run.py                      all that is installed, a line each
    tests/compat/run.py NAME...              those whose name contains one of these words
    tests/compat/run.py --write              docs/compatibility.md, of all; refuses to if fewer than 80 are installed

What is equal is the exit code and standard output. Plain runs are those of an ordinary user where we are root: some
programs refuse root.
"""
import argparse
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from programs import PROGRAMS  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEVELS = ("low", "medium")
LEAST, PATIENCE, USER = 80, 180, 65534  # nobody: some programs look their user up
# the levels' own limits but for what an honest build needs (go and a compiler with its linker, a Java virtual machine)
LIMITS = ["--memory", "512m", "--cpu", "1.0", "--timeout", "120"]


def agent():
    return pathlib.Path(os.environ.get("SANDBOX_AGENT_PREFIX") or ROOT / "build") / "bin/sandbox-agent"


def absent(program):
    """-> what is not installed of what it needs"""
    def is_there(word):
        if word.startswith("python:"):
            return subprocess.run(["/usr/bin/python3", "-c",
                                   "import importlib.util as u, sys; sys.exit(u.find_spec(%r) is None)"
                                   % word[7:]]).returncode == 0
        return (shutil.which(word, path="/usr/bin:/bin:/usr/sbin:/sbin") is not None if not word.startswith("/")
                else os.path.exists(word))
    return [word for word in program.needs.split() if not is_there(word)]


def environment(place):
    """Settings that keep a policy, a log and a cache of this test's own."""
    config = pathlib.Path(place) / "config.yaml"
    config.write_text("sandbox: {paths: {log_dir: %s/log}}\nagixt: {analysis: {enabled: false}}\n"
                      "security: {store_artifacts: {enabled: false}}\n" % place)
    return {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": str(place), "XDG_STATE_HOME": "%s/state" % place,
            "XDG_CACHE_HOME": "%s/cache" % place,
            "XDG_CONFIG_HOME": "%s/config" % place}


SCRIPT = 'cd "$(mktemp -d)" || exit 99\nexport HOME=$PWD TMPDIR=$PWD PATH=/usr/bin:/bin LANG=C.UTF-8\n%s\n'


def said(argv, env, cwd, **more):
    try:
        done = subprocess.run(argv, env=env, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", timeout=PATIENCE, **more)
    except subprocess.TimeoutExpired:
        return ("no end after %d s" % PATIENCE, "", "")
    return (done.returncode, done.stdout, done.stderr)


def plain(program, place):
    with tempfile.TemporaryDirectory(prefix="compat-") as home:
        own = {}
        if os.geteuid() == 0:
            os.chown(home, USER, USER)
            own = {"user": USER, "group": USER, "extra_groups": []}
        return said(["/bin/bash", "-c", SCRIPT % program.script],
                    {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TMPDIR": home, "HOME": home}, home, **own)


def inside(program, level, place):
    argv = [str(agent()), "--config", "%s/config.yaml" % place, "--risk-level", level, *LIMITS, "--", "/bin/bash", "-c",
            SCRIPT % program.script]
    return said(argv, environment(place), place)


class Verdict:
    def __init__(self, program, levels, runs):
        self.program, self.plain, self.runs = program, runs[0], dict(zip(levels, runs[1:]))

    def is_same(self, level):
        return self.runs[level][:2] == self.plain[:2]

    @property
    def faults(self):
        """What the tests complain about, as words."""
        found = []
        if self.plain[0] != 0 or not self.plain[1]:
            found.append("the script itself fails here: %r" % (self.plain,))
        for level in self.runs:
            if self.is_same(level) != (level not in self.program.differs):
                found.append("at %s %s: %r, plain %r"
                             % (level, "another output" if not self.is_same(level)
                                else "the same output, and an explanation of why not",
                                                        self.runs[level], self.plain[:2]))
        return found


def verdict(program, place, levels=LEVELS):
    return Verdict(program, levels, [plain(program, place), *(inside(program, level, place) for level in levels)])


def cell(v, level):
    return "same" if v.is_same(level) else "differs"


HEAD = """# Compatibility

Everyday programs of Debian 12, each with a script that uses what is interesting to a sandbox (children, threads,
sockets, locks, shared memory, pseudo-terminals): plain, at low and at medium. *Same* means the same exit code and the
same standard output. Made by `tests/compat/run.py --write` from
[tests/compat/programs.py](../tests/compat/programs.py), on a machine where all of them are installed;
`tests/integration/test_compatibility.py` runs what is installed. All runs have 512 MiB
and one core, since a compiler and a Java virtual machine need them; processes, system calls, files and network are the
level's.

%d programs: %d the same at both levels.

| program | Debian's package | low | medium | why not the same |
|---|---|---|---|---|
"""


def why(program):
    texts = set(program.differs.values())
    return (texts.pop() if len(texts) == 1 and set(program.differs) == set(LEVELS)
            else "; ".join("%s: %s" % pair for pair in program.differs.items()))


def document(verdicts):
    rows = "".join("| %s | %s | %s | %s | %s |\n"
                   % (v.program.name, v.program.package, cell(v, "low"), cell(v, "medium"), why(v.program))
                   for v in verdicts)
    return HEAD % (len(verdicts), sum(all(map(v.is_same, LEVELS)) for v in verdicts)) + rows


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--write", action="store_true")
    words.add_argument("names", nargs="*")
    asked = words.parse_args()
    chosen = [p for p in PROGRAMS if not asked.names or any(n in p.name for n in asked.names)]
    lacking = {p.name: absent(p) for p in chosen}
    for name, missing in lacking.items():
        if missing:
            print("not installed: %s (%s)" % (name, " ".join(missing)), flush=True)
    with tempfile.TemporaryDirectory(prefix="compat-") as place, concurrent.futures.ThreadPoolExecutor(2) as pool:
        os.chmod(place, 0o755)
        environment(place)
        verdicts, bad = [], 0
        for v in pool.map(lambda p: verdict(p, place), [p for p in chosen if not lacking[p.name]]):
            verdicts.append(v)
            bad += bool(v.faults)
            print("%-45s low %-8s medium %s" % (v.program.name, cell(v, "low"), cell(v, "medium")), *v.faults,
                  sep="\n    ", flush=True)
    print("%d programs, %d with faults" % (len(verdicts), bad))
    if asked.write and (bad or len(verdicts) < LEAST):
        print("docs/compatibility.md is not written: %d programs with faults, %d installed of at least %d"
              % (bad, len(verdicts), LEAST))
        return 1
    if asked.write:
        (ROOT / "docs/compatibility.md").write_text(document(verdicts))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
