#!/usr/bin/python3
"""backends.py [--quick] [--save] - called by backends.sh: the competitors, their engines, and the tables."""
import contextlib
import datetime
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/integration"))
from engine import engines, place  # noqa: E402

BUILD = ROOT / os.environ.get("B", "build")
AGENT, TIMER, PEER = BUILD / "bin/sandbox-agent", BUILD / "bench/timer", BUILD / "bench/engine"
CODE = {"bash": ":\n", "python": "print(1)\n"}
PLAIN = {"bash": ["/bin/bash", "-c", ":"], "python": ["/usr/bin/python3", "-I", "-c", "print(1)"]}
MISSING = re.compile(r"remedy: name ([a-z_, ]+?) in docker.container.accept_missing")
STEP = re.compile(r"debug: (?:launch) +([A-Z]+) *\+ *([0-9]+) us")
PAYLOAD = ("bash", "sleep")
LIVE_SECONDS = 60


def say(text=""):
    print(text, flush=True)
    report.append(text)


def progress(text):
    print("  %3d s  %s" % (time.monotonic() - begin, text), file=sys.stderr, flush=True)


def load():
    return " ".join(open("/proc/loadavg").read().split()[:3])


class Competitor:
    def __init__(self, name, config=None, more=(), engine=None):
        self.name, self.config, self.more, self.engine = name, config, more, engine

    def argv(self, language):
        return [str(AGENT), "--config", str(self.config), "--risk-level", "medium", *self.more, "--language", language,
                "--code", str(work / language)]


class Plain(Competitor):
    def argv(self, language):
        return PLAIN[language]


class Peer(Competitor):
    """The container of bench/service.sh: limits of our medium level, none of our checks; its program is in the
    image."""

    def argv(self, language):
        program = {"bash": ["bash", "-c", ":"], "python": ["python3", "-I", "-c", "print(1)"]}[language]
        body = work / ("create-%s.json" % language)
        body.write_text(json.dumps({
            "Image": engines.LANGUAGES, "Cmd": program, "User": "65534:65534", "AttachStdout": True,
            "AttachStderr": True,
            "HostConfig": {"AutoRemove": True, "NetworkMode": "none", "ReadonlyRootfs": True, "Memory": 256 << 20,
                           "MemorySwap": 256 << 20,
                           "PidsLimit": 20, "NanoCpus": 500000000, "CapDrop": ["ALL"],
                           "SecurityOpt": ["no-new-privileges"],
                           "Tmpfs": {"/tmp": "size=128m"}, "LogConfig": {"Type": "none"}}}))
        return [str(PEER), "--socket", self.engine.socket, "--create", str(body), "--count", "1"]


def settings(name, engine=None, **daemon):
    path = work / (name + ".json")  # JSON is YAML
    values = {"sandbox": {"paths": {"log_dir": str(work / "log"), "state_dir": str(work / "state")}}}
    if engine:
        values["docker"] = {"daemon": {"socket": engine.socket, **daemon}}
        values["languages"] = {language: {"default_image": engines.LANGUAGES} for language in CODE}
    path.write_text(json.dumps(values))
    return path


def works(competitor):
    """What a profile requires and this engine lacks is accepted, and said."""
    accepted = []
    while True:
        r = subprocess.run(competitor.argv("bash"), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                           timeout=120)
        lacks = MISSING.search(r.stderr)
        new = [name for name in re.split(r"[ ,]+", lacks[1])
               if name not in accepted] if lacks and competitor.config else []
        if r.returncode == 0 or not new:
            break
        accepted += new
        values = json.loads(competitor.config.read_text())
        values["docker"]["container"] = {"accept_missing": ["user_ns", *accepted]}
        competitor.config.write_text(json.dumps(values))
    if r.returncode:
        say("Skipped: %s: %s" % (competitor.name, (r.stderr.strip() or "exit %d" % r.returncode).splitlines()[0]))
    elif accepted:
        say("%s runs without %s, accepted here.\n" % (competitor.name, ", ".join(accepted)))
    return r.returncode == 0


def start_engines(stack):
    found = [Plain("plain"), Competitor("native", settings("native"), ["--backend", "native"])]
    for kind in (engines.Docker, engines.Podman):
        reason = kind.reason_against()
        if reason:
            say("Skipped: %s: %s" % (kind.name, reason))
            continue
        progress("starting " + kind.name)
        engine = stack.enter_context(kind())
        engine.load(engines.LANGUAGES)
        backend = ["--backend", "docker"]
        if kind is engines.Docker:
            found.append(Peer("Docker's bare API", engine=engine))
        found.append(Competitor(kind.name, settings(kind.name, engine), backend, engine))
        if kind is engines.Docker and shutil.which("runsc"):
            found.append(Competitor("docker, runsc", settings("runsc", engine, runtime="runsc"), backend, engine))
    return [c for c in found if works(c)]


def list_of(competitors, language):
    path = work / "list"
    path.write_text("".join("\t".join([c.name, *c.argv(language)]) + "\n" for c in competitors))
    return str(path)


def timer(*args):
    out = subprocess.run([TIMER, *map(str, args)], capture_output=True, text=True, check=True).stdout
    return {words[0]: words[1:] for words in (line.split("\t") for line in out.splitlines())}


def ms(us):
    return "%.*f" % (0 if us >= 100e3 else 1 if us >= 10e3 else 2, us / 1e3)


def part_latency(competitors, runs):
    say("## One at a time, in turns")
    say("\n| ms: median (p10..p90) | bash `:` | to native | python `print(1)` | to native |\n|---|---|---|---|---|")
    rows = {c.name: "| %s |" % c.name for c in competitors}
    for language in CODE:
        progress("latency of " + language)
        found = timer("latency", runs, 0, list_of(competitors, language))
        native = float(found["native"][0])
        for name, (p50, p10, p90, failed) in found.items():
            lost = "" if failed == "0" else "; **%s failed**" % failed
            rows[name] += " %s (%s..%s)%s | x%.3g |" % (ms(float(p50)), ms(float(p10)), ms(float(p90)), lost,
                                                        float(p50) / native)
    for row in rows.values():
        say(row)
    say()


def part_rate(competitors, seconds):
    counts = (1, 8, 20)
    say("## Live at once (bash): runs a second\n\n| live | %s |\n|---|%s"
        % (" | ".join(map(str, counts)), "---|" * len(counts)))
    rows = {c.name: "| %s |" % c.name for c in competitors}
    for count in counts:
        for c in competitors:
            progress("%d live: %s" % (count, c.name))
            rows[c.name] += " %s |" % timer("rate", count, seconds, list_of([c], "bash"))[c.name][0]
    for row in rows.values():
        say(row)
    say()


def part_steps(competitors, runs):
    taking = [c for c in competitors if c.engine and not isinstance(c, Peer)]
    times = {c.name: {} for c in taking}
    progress("where the time goes")
    for _ in range(runs):
        for c in taking:
            said = subprocess.run([*c.argv("bash"), "--debug"], stdin=subprocess.DEVNULL, capture_output=True,
                                  text=True).stderr
            for step, us in STEP.findall(said):
                times[c.name].setdefault(step, []).append(int(us))
    steps = list(dict.fromkeys(step for t in times.values() for step in t))
    say("## Where the time of a container's run goes (bash, ms, medians of `--debug`)\n")
    say("| | %s |\n|---|%s" % (" | ".join(steps), "---|" * len(steps)))
    for name, t in times.items():
        say("| %s | %s |" % (name, " | ".join(ms(statistics.median(t[s])) if s in t else "·" for s in steps)))
    say()


def processes():
    """pid -> name, of all"""
    found = {}
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            found[int(path.name)] = (path / "comm").read_text().strip()
    return found


def memory_of(pid):
    """-> Pss, RSS in KiB; of one that ended: nothing"""
    try:
        text = open("/proc/%d/smaps_rollup" % pid).read()
    except OSError:
        return 0, 0
    return tuple(int(re.search(r"^%s: *(\d+)" % field, text, re.M)[1]) for field in ("Pss", "Rss"))


def helpers_of(started, engine, before):
    """-> ours, the engine's: those that came with the sandboxes"""
    ours, theirs = [], []
    names = processes()
    below = {p for one in started for p in place.descendants(one.pid)}
    of_engine = place.descendants(engine.place.pid) if engine else set()
    for pid in (below | of_engine) - before:
        if names.get(pid, "bash") not in PAYLOAD:
            (ours if pid in below or names[pid] == ".entry" else theirs).append(pid)
    return ours, theirs


def part_memory(competitors, live):
    say("## Memory of a live sandbox (%d at once, bash and sleep, not counted where the host sees them as processes)\n"
        % live)
    say("| MiB each: Pss (RSS) | ours | the engine's, for each container | processes |\n|---|---|---|---|")
    (work / "bash").write_text("sleep %d\n" % LIVE_SECONDS)
    for c in (c for c in competitors if type(c) is Competitor):
        progress("memory: " + c.name)
        before = set(processes())
        started = [subprocess.Popen(c.argv("bash"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                    stderr=subprocess.DEVNULL) for _ in range(live)]
        wait_until_live(before, live)
        ours, theirs = helpers_of(started, c.engine, before)
        cells = ["%.1f (%.1f)" % tuple(sum(kib) / 1024 / live for kib in zip(*map(memory_of, pids))) if pids else "·"
                 for pids in (ours, theirs)]
        say("| %s | %s | %.1f |" % (c.name, " | ".join(cells), len(ours + theirs) / live))
        for p in started:
            p.terminate()  # it removes what it made
        for p in started:
            p.wait()
    (work / "bash").write_text(CODE["bash"])
    say()


def wait_until_live(before, live):
    """As many new payloads as were started, or, where another kernel hides them, nothing new for three seconds."""
    last, since = -1, time.monotonic()
    until = since + LIVE_SECONDS / 2
    while time.monotonic() < until:
        found = {pid: name for pid, name in processes().items() if pid not in before}
        if sum(name == "bash" for name in found.values()) >= live:
            break
        if len(found) != last:
            last, since = len(found), time.monotonic()
        if time.monotonic() - since > 3:
            break
        time.sleep(0.1)
    time.sleep(0.5)


def main():
    quick, save = "--quick" in sys.argv, "--save" in sys.argv
    with contextlib.ExitStack() as stack:
        at = datetime.datetime.now(datetime.timezone.utc)
        say("# Backends, %s UTC%s\n"
            % (at.strftime("%Y-%m-%d %H:%M"), " (quick: few runs, rough numbers)" if quick else ""))
        started_load = load()
        competitors = start_engines(stack)
        version = subprocess.run([AGENT, "--version"], capture_output=True, text=True).stdout.strip()
        names = ["%s %s" % (c.engine.name, c.engine.expect(200, "GET", "/version")["Version"]) for c in competitors
                 if type(c) is Competitor and c.engine]
        say("%d CPUs, kernel %s, %s, %s; load before %s, with the engines started %s.\n" % (
            os.cpu_count(), os.uname().release, version, ", ".join(dict.fromkeys(names)), started_load, load()))
        part_latency(competitors, 5 if quick else 20)
        part_steps(competitors, 3 if quick else 10)
        part_rate(competitors, 2 if quick else 6)
        part_memory(competitors, 4 if quick else 8)
        say("Load at the end %s; took %d s." % (load(), time.monotonic() - begin))
    if save:
        path = ROOT / "bench/results" / (at.strftime("%Y-%m-%d") + "-backends.md")
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(report) + "\n")


begin, report = time.monotonic(), []
work = pathlib.Path(tempfile.mkdtemp(prefix="sandbox-bench-", dir="/tmp"))
try:
    os.chmod(work, 0o755)
    for directory in ("log", "state"):
        (work / directory).mkdir()
    for name, text in CODE.items():
        (work / name).write_text(text)
    main()
finally:
    shutil.rmtree(work, ignore_errors=True)
