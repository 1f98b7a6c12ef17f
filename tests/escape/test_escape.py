"""test_escape.py - every attack of attacks/, at every level: it must fail inside and leave the host untouched.

    pytest -n 2 tests/escape                     all
    pytest tests/escape -k 'fs_mount and high'   one
    SANDBOX_AGENT=/path/to/sandbox-agent         another program than build/bin/sandbox-agent
    SANDBOX_AGENT_BUILD=dir                      where the attacks are built (default build/escape)
    SANDBOX_MUST_WORK=1                          a level that this machine cannot run is a failure, not a skip

The profiles are the shipped ones with the courtesy layer switched off (module and command lists, kill switches,
shell_access): what is tested is the fence, and a fence that only holds behind a polite sign is none.
"""
import json
import os
import pathlib
import re
import secrets
import subprocess
import sys
import threading
import time

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import build  # noqa: E402
import helpers  # noqa: E402  (tests/conftest.py knows where)
import outside  # noqa: E402
import places  # noqa: E402

ATTACKS = build.catalogue()
MUST_WORK = os.environ.get("SANDBOX_MUST_WORK") == "1"
EXIT_CODES = {"completed": {0}, "timeout": {124}, "oom": {137}, "killed": {137}, "policy_denied": {123},
              "sandbox_error": {125}}


def size(text):
    number, unit = re.fullmatch(r"(\d+)\s*([kmgt]?)i?b?", str(text).lower()).groups()
    return int(number) << {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}[unit]


def binary():
    return pathlib.Path(os.environ.get("SANDBOX_AGENT") or build.ROOT / "build/bin/sandbox-agent")


def kernel_fence_only(profile, volume, reachable):
    """The shipped profile without its courtesy layer; where it has a network, this is what may be reached."""
    for rules in profile.get("languages", {}).values():
        for key in ("restricted", "restricted_mode", "interpreter_only"):
            if key in rules:
                rules[key] = False
        rules.update(allowed_modules="all", blocked_modules=[], blocked_commands=[], restricted_commands=[])
    profile["execution"]["shell_access"] = True
    profile["filesystem"]["allowed_mounts"] = [str(volume)]
    profile["kill_switches"] = []
    if profile["network"]["mode"] == "bridge":
        profile["network"].update(allow=reachable, max_connections=0, max_connections_per_second=0, max_bytes=0)
    return profile


class Run:
    """One execution of the command line, with everything the judge looks at."""

    def __init__(self, argv, host, stdin="", timeout=10, max_output=64 << 20):
        self.max_output, self.id, self.result = max_output, None, None
        stdin_fd, session = self._stdin(stdin, host), {}
        if stdin == "tty":
            session = {"start_new_session": True, "preexec_fn": lambda: __import__("fcntl").ioctl(0, 0x540E, 0)}
        flags = self._flags(stdin_fd)
        begin = time.monotonic()
        proc = subprocess.Popen(argv, stdin=stdin_fd, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env=host.environment(),
                                pass_fds=host.inherited, **session)
        self.pid, self.started, self.peak_rss = proc.pid, {proc.pid}, 0
        chunks = {}
        readers = [threading.Thread(target=lambda n=n, f=f: chunks.__setitem__(n, f.read()))
                   for n, f in (("out", proc.stdout), ("err", proc.stderr))]
        for reader in readers:
            reader.start()
        patience = timeout + 20
        killer = threading.Timer(patience, proc.kill)
        killer.start()
        watcher = threading.Thread(target=self._watch)
        watcher.start()
        _, status = os.waitpid(proc.pid, 0)
        killer.cancel()
        watcher.join()
        self.seconds = time.monotonic() - begin
        self.code = proc.returncode = os.waitstatus_to_exitcode(status)
        for reader in readers:
            reader.join(20)  # somebody outlived the command line and holds our pipe: the outside checks will say who
        self.is_pipe_held = any(r.is_alive() for r in readers)
        self.hung = self.seconds > patience - 1
        self.stdin_flags = (flags, self._flags(stdin_fd))
        if stdin == "file":
            os.close(stdin_fd)
        self.out, self.err = (chunks.get(n, b"").decode("utf-8", "replace") for n in ("out", "err"))
        self.text = self.out + self.err
        try:
            self.result = json.loads(self.out)
            self.id = self.result.get("execution_id")
        except ValueError:
            pass

    def _watch(self):
        """Learns the launcher's pid, by which its control groups are named, before it is gone again; and how much
        memory the command line ever took (ru_maxrss is no answer: across exec() it keeps the peak of the process that
        forked: ours)."""
        begin = time.monotonic()
        while (peak := outside.peak_memory(self.pid)) is not None:
            self.peak_rss = max(self.peak_rss, peak)
            is_starting = time.monotonic() - begin < 0.2 and len(self.started) < 2
            if is_starting:
                self.started |= outside.children(self.pid)
            time.sleep(0.001 if is_starting else 0.01)

    @staticmethod
    def _stdin(kind, host):
        if isinstance(kind, int):
            return kind
        if kind == "file":
            return os.open(host.stdin_file, os.O_RDONLY)
        return host.open_tty() if kind == "tty" else subprocess.DEVNULL

    @staticmethod
    def _flags(fd):
        import fcntl
        return fcntl.fcntl(fd, fcntl.F_GETFL) if fd >= 0 else 0

    @property
    def reason(self):
        return (self.result or {}).get("reason")

    def describe(self):
        if not self.result:
            return "exit %s, no JSON: %r %r" % (self.code, self.out[:300], self.err[:600])
        error = self.result.get("error")
        return "reason %s, exit %s, %.1f s, stdout %r, stderr %r%s" % (
            self.reason, self.result.get("exit_code"), self.seconds, (self.result.get("stdout") or "")[:600],
            (self.result.get("stderr") or "")[:300], ", error %s" % error if error else "")


class Field:
    """Programs, profiles and bait of one test process."""

    def __init__(self):
        worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
        programs, self.scripts = build.build()
        self.volume = build.volume(programs, worker)
        self.dir = build.build_dir() / ("field-" + worker)
        self.dir.mkdir(exist_ok=True)
        self.host = outside.Host(self.volume, host_paths=(self.scripts, self.dir))
        # integration tests that the same worker runs later look for what is left behind
        helpers.residents.add(self.host.victim.pid)
        self.config = self.dir / "config.yaml"
        given = os.environ.get("SANDBOX_TEST_CONFIG")  # another backend, as for the integration tests
        config = helpers.from_yaml(pathlib.Path(given).read_text()) if given else {}
        config.setdefault("sandbox", {})["paths"] = {"log_dir": str(self.dir / "log"),
                                                     "state_dir": str(self.dir / "state")}
        config["agixt"] = {"analysis": {"enabled": False}}
        self.config.write_text(helpers.to_yaml(config))
        self.profiles, self.files, self.usable = {}, {}, {}
        for level in build.LEVELS:
            profile = helpers.from_yaml((build.ROOT / "profiles" / (level + "-risk.yaml")).read_text())
            self.profiles[level] = kernel_fence_only(profile, self.volume, self.host.allowed.rules)
            self.files[level] = self.dir / (level + "-risk.yaml")
            self.files[level].write_text(helpers.to_yaml(profile))

    def limits(self, level):
        p = self.profiles[level]
        return {"limit_memory": size(p["resources"]["memory"]), "limit_storage": size(p["resources"]["storage"]),
                "limit_temp": size(p["filesystem"]["temp_size"]),
                "limit_pids": p["resources"]["pids"], "limit_processes": p["execution"]["max_processes"],
                "limit_cpu_milli": int(float(p["resources"]["cpu"]) * 1000),
                "limit_nofile": max(p["execution"]["max_file_descriptors"], p["execution"]["max_open_files"]),
                "disable_loopback": "yes" if p["network"]["disable_loopback"] else "no"}

    def run(self, level, command, timeout, stdin=""):
        argv = [str(binary()), "run", "--json", "--config", str(self.config), "--profile", str(self.files[level]),
                "--timeout", str(timeout),
                "--volume", "%s:/attack:ro" % self.volume]
        if stdin:
            argv += ["--stdin", "-"]
        max_output = size(self.profiles[level]["execution"].get("max_output", "64m"))
        return Run(argv + command, self.host, stdin, timeout, max_output)

    def command(self, attack, *args):
        if attack.language:
            return ["--language", attack.language, "--code", str(self.scripts / attack.path.name)]
        return ["--", "/attack/" + attack.name, *args]

    def need(self, level):
        """A level that cannot run here at all is one skip with its reason, not a hundred riddles."""
        if level not in self.usable:
            self.host.params(marker="baseline-" + level)
            self.host.before()
            run = self.run(level, ["--", "/attack/baseline"], 60)
            fine = run.reason == "completed" and "baseline-" + level in run.result["stdout"]
            self.usable[level] = "" if fine else run.describe()
        if self.usable[level] and not MUST_WORK:
            pytest.skip("level %s cannot run here: %s" % (level, self.usable[level]))
        assert not self.usable[level], "level %s cannot run here: %s" % (level, self.usable[level])


def is_measured(run):
    """An ordinary user without a control group: the supervisor looks every few milliseconds instead of the kernel."""
    return (((run.result or {}).get("isolation") or {}).get("limits") or {}).get("enforced_by") == "supervisor"


def judge(attack, run, limits):
    """-> list of what is wrong with this result, as seen from its own words"""
    problems = []
    if run.hung:
        problems.append("the command line had to be killed after %.0f s" % run.seconds)
    if not run.result:
        return problems + ["no result object"]
    text = run.result.get("stdout") or ""
    if re.search(r"^ESCAPED", text, re.M) or run.result.get("exit_code") == 42:
        problems.append("the attack worked")
    if "NOTHING WORKS" in text:
        problems.append("it held because nothing worked")
    is_told = run.reason == "completed" and text.startswith("CONTAINED")
    if not is_told and run.reason not in attack.reasons:
        problems.append("ended with reason %s, which proves nothing" % run.reason)
    expected = EXIT_CODES.get(run.reason)
    if expected and run.code is not None and run.code not in expected:
        problems.append("exit code %d does not say «%s»" % (run.code, run.reason))
    if run.seconds > attack.timeout + 15:
        problems.append("took %.1f s with a deadline of %d s" % (run.seconds, attack.timeout))
    peak = run.result.get("peak_memory_bytes") or 0
    # a supervisor that samples is late by what can be touched between two looks
    room = 1.6 if is_measured(run) else 1.15
    if peak > limits["limit_memory"] * room:
        problems.append("peak of %d MiB over a limit of %d MiB" % (peak >> 20, limits["limit_memory"] >> 20))
    if run.is_pipe_held:
        problems.append("somebody still holds the caller's pipe")
    return problems


@pytest.fixture(scope="session")
def field():
    if not binary().exists():
        message = "%s is not built" % binary()
        pytest.fail(message) if MUST_WORK else pytest.skip(message)
    f = Field()
    yield f
    f.host.close()


@pytest.mark.parametrize("level", build.LEVELS)
def test_the_harness_reaches_a_sandbox(field, level):
    field.need(level)
    field.host.params(marker="harness")
    field.host.before()
    run = field.run(level, ["--", "/attack/baseline"], 60)
    assert run.reason == "completed" and run.result["stdout"] == "CONTAINED: baseline harness\n", run.describe()
    assert field.host.after(run) == []
    assert list((field.host.cache / "sandbox-agent").iterdir()), ("the command line keeps what it compiled elsewhere: "
                                                                  "in the machine's own cache?")


def cases():
    for a in ATTACKS:
        marks = [pytest.mark.xfail(reason=a.open, strict=True)] if a.open else []
        for level in a.levels:
            yield pytest.param(level, a, id="%s-%s" % (a.name, level), marks=marks)


@pytest.mark.parametrize("level,attack", cases())
def test_attack_is_contained(field, level, attack):
    field.need(level)
    limits = field.limits(level)
    marker, port = "escape-" + secrets.token_hex(6), 20000 + secrets.randbelow(10000)
    field.host.params(marker=marker, inside_port=port, inside_name=marker, level=level, **limits)
    field.host.before()
    if attack.twice:
        problems = run_twice(field, level, attack, limits)
    else:
        end_meanwhile = field.host.during(attack.outside, port, marker)
        run = field.run(level, field.command(attack), attack.timeout, attack.stdin)
        end_meanwhile()
        print(run.describe())  # pytest -rP shows what each attack had to say
        problems = judge(attack, run, limits) + field.host.after(run, attack.outside)
        problems = problems and problems + [run.describe()]
        if problems and attack.needs == "cgroup" and is_measured(run):
            pytest.xfail("only a control group counts this memory, and the result says that there is none: "
                         + problems[-1])
    assert not problems, "%s at %s risk (%s):\n  %s" % (attack.name, level, attack.what, "\n  ".join(problems))


def run_twice(field, level, attack, limits):
    """Two sandboxes at once: the first says in its log that it is there and waits for the end of its stdin, the second
    looks for it."""
    first_role, second_role = attack.twice
    first, (stdin, end_of_first) = [], os.pipe()
    before = set((field.dir / "log").glob("*.log"))
    thread = threading.Thread(target=lambda: first.append(field.run(level, field.command(attack, first_role),
                                                                    attack.timeout, stdin)))
    thread.start()
    try:
        until = time.monotonic() + attack.timeout
        while not any(b"holding" in log.read_bytes() for log in set((field.dir / "log").glob("*.log")) - before):
            assert thread.is_alive() and time.monotonic(
                ) < until, "the first of two sandboxes never held anything: %s" % [run.describe() for run in first]
            time.sleep(0.01)
        second = field.run(level, field.command(attack, second_role), attack.timeout)
    finally:
        os.close(end_of_first)
        thread.join()
        os.close(stdin)
    problems = []
    for run in first + [second]:
        found = judge(attack, run, limits)
        problems += found and found + [run.describe()]
    return problems + field.host.after(second, attack.outside)


# ---- from within sessions, and in interpreters that waited ----

EVERYWHERE = os.environ.get("SANDBOX_TEST_PROOF") == "all"
ELSEWHERE = [(place, level, a) for place in places.PLACES for level in build.LEVELS for a in ATTACKS
             if not places.reason_against(a, place, level)]


def sample():
    """As many of them as ./check has time for: quick ones, each place and level with others."""
    quick = [c for c in ELSEWHERE if c[2].group in ("filesystem", "privilege", "kernel", "processes", "leaks")
             and not c[2].reasons and not c[2].twice and not c[2].open and not c[2].needs]
    return quick[::90 if os.environ.get("SANDBOX_TEST_LEAN") else 45]


def cases_elsewhere():
    for place, level, a in ELSEWHERE if EVERYWHERE else ():
        marks = [pytest.mark.xfail(reason=a.open, strict=True)] if a.open else []
        yield pytest.param(place, level, a, id="%s-%s-%s" % (place, a.name, level), marks=marks)


@pytest.fixture(scope="module")
def area(field):
    """-> the service of a place, by place"""
    made = {}

    def of(place):
        is_warm = place not in places.OF_SESSIONS
        if is_warm not in made:
            made[is_warm] = places.Area(field, is_warm)
        return made[is_warm]
    yield of
    for one in made.values():
        one.close()


def problems_elsewhere(field, area, place, level, attack):
    """-> what is wrong, and the runs"""
    limits, marker, port = field.limits(level), "escape-" + secrets.token_hex(6), 20000 + secrets.randbelow(10000)
    field.host.params(marker=marker, inside_port=port, inside_name=marker, level=level, **limits)
    here, field.host.helpers = area(place), ("sandbox-scan", "sandbox-broker", "steward")
    here.prepare(place, level, attack)
    field.host.before()
    end_meanwhile = field.host.during(attack.outside, port, marker)
    try:
        runs = here.run_twice(place, level, attack) if attack.twice else [here.run(place, level, attack)]
    finally:
        end_meanwhile()
    problems = [p for run in runs for p in judge(attack, run, limits)]
    # what waits for other runs, and jobs, comes and goes meanwhile; Area.close() looks for what is left
    without = () if place in places.OF_SESSIONS else ("no_process_left", "no_cgroup_left")
    problems += field.host.after(runs[-1], attack.outside, without)
    if not here.is_witness_alive(place, level, attack):
        problems.append("the session's other job has ended")
    field.host.helpers = ()
    return ["%s as %s at %s risk: %s\n  %s" % (attack.name, place, level, p, runs[-1].describe())
            for p in problems], runs


@pytest.mark.skipif(EVERYWHERE, reason="all of them are tried")
def test_some_attacks_are_contained_elsewhere(field, area):
    """In one test: its sessions serve all of them."""
    problems = [p for place, level, attack in sample()
                for p in problems_elsewhere(field, area, place, level, attack)[0]]
    assert not problems, "\n".join(problems)


if EVERYWHERE:
    @pytest.mark.parametrize("place,level,attack", cases_elsewhere())
    def test_attack_is_contained_elsewhere(field, area, place, level, attack):
        problems, runs = problems_elsewhere(field, area, place, level, attack)
        print(*[run.describe() for run in runs])
        if problems and attack.needs == "cgroup" and is_measured(runs[-1]):
            pytest.xfail("only a control group counts this memory, and the result says that there is none: "
                         + problems[-1])
        assert not problems, "\n".join(problems)


def test_what_is_left_out_elsewhere_is_said():
    left = 0 if EVERYWHERE else len(ELSEWHERE) - len(sample())
    if left:
        pytest.skip("%d of %d attacks from within sessions and waiting interpreters, which take half an hour: `make "
                    "proof`" % (left, len(ELSEWHERE)))


def test_every_attack_says_what_it_is():
    for a in ATTACKS:
        assert a.group in build.CLASSES and a.what, a.name
        assert set(a.levels) <= set(build.LEVELS), a.name
        assert set(a.outside) <= {n[6:] for n in dir(outside.Host) if n.startswith("check_")}, a.name


def test_every_class_is_attacked():
    assert len(ATTACKS) >= 110
    for group in build.CLASSES:
        assert sum(a.group == group for a in ATTACKS) >= 10, group
