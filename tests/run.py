#!/usr/bin/python3
"""All tests, one report: unit, sanitizers, analyzer, fuzz corpora, integration and escape suites as root and as an
ordinary user, those that need a container engine, and the virtual machine with cgroup v2.

Called by ./check, which has installed and built what is needed. `tests/run.py PHASE...` runs only those.
Each phase yields (passed, failed, skipped); the last line sums them up. Skips are printed with their reason.

No test reaches the machine's own state (real_state.py), and a suite that takes too long (budget.py) tells what it has
done until then (progress.py, progress_plugin.py).
"""
import concurrent.futures
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import ahead
import budget
import progress
import real_state

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Most tests wait more than they compute: with two workers on two processors these were idle half of the time, with
# three a third of it.
PYTEST = ["/usr/bin/python3", "-m", "pytest", "-q", "-n", "4", "-p", "no:cacheprovider", "--tb=short", "-rfEs"]
USER_ID = 61234  # of no user: it needs no entry in /etc/passwd
# The SDK's tests have one service for all of them, so they come last: other tests want nothing of theirs left behind.
SUITES = ["tests/escape", "tests/integration", "tests/guards", "sdk/python/tests"]
ENGINE_SUITES = ["tests/integration/engine"]  # in a phase of their own, in which engines run
# What does not know which user runs it, or is root's business: once, as root. The user's phase leaves it out where
# root's can run.
ONCE = [
    # the courtesy layers in a plain interpreter, and what goes through them in a sandbox (as a user, too:
    # test_languages.py, test_guard_delivery.py)
    "tests/guards", "tests/integration/test_tricks.py",
    # 1057 texts for the scan (as a user, too: test_scan_python.py, test_scan_go_rust.py), and simulations of it
    "tests/integration/test_scan.py", "tests/integration/test_scan_embedded.py", "tests/integration/test_simulate.py",
    # What clients and name servers make of the broker, whose rules and connections are the same for each user (as a
    # user, too: test_bridge.py, test_bridge_attacks.py, test_bridge_bounds.py, and the attacks on it)
    "tests/integration/test_bridge_clients.py", "tests/integration/test_bridge_sockets.py",
    "tests/integration/test_names.py",
    # builds of package sets that fail, and the service's; what a set is in a run is tried as a user, too
    # (test_package_sets.py)
    "tests/integration/test_package_builds.py", "tests/integration/service/test_package_sets_service.py",
    # programs linked from a build tree, which the user's copy has not
    "tests/integration/test_http.py", "tests/integration/test_metrics.py", "tests/integration/test_webhooks.py",
    # the Python client without a sandbox (as a user, too: test_sdk_cli.py, test_sdk_service.py)
    *("sdk/python/tests/test_sdk_%s.py" % name
      for name in ("package", "api", "steps", "agixt", "faults", "config", "adapters", "sessions", "session_adapters")),
    # the tests themselves, and the documents
    "tests/integration/test_check.py", "tests/integration/test_packages.py", "tests/integration/test_docs.py",
    "tests/integration/test_dashboards.py", "tests/integration/test_fleet_manifests.py",
    # decisions from files that are the same for each user (as a user, too: test_ledger.py, test_state_migration.py)
    "tests/integration/test_agents.py", "tests/integration/test_retention.py",
    # What a service makes of requests: root's has become nobody before it reads the first. (As a user, too: all of its
    # start, end, launcher, files, descriptors, audit, load, keys, webhooks and metrics.)
    *("tests/integration/service/test_%s.py" % name for name in ("hostile", "requests", "openapi", "openapi_lint",
                                                                 "refusals", "routes", "roles", "replay", "sse",
                                                                 "keyless", "memory", "receipts", "witness", "trust",
                                                                 "backend", "migration_service", "prometheus", "page",
                                                                 "mcp", "mcp_clients", "e2b", "piston", "daytona",
                                                                 "typescript", "fleet", "fleet_backup", "haproxy",
                                                                 "fleet_soak", "fleet_tls",
                                                                 # sessions as such: test_sessions.py,
                                                                 # test_session_files.py, and the attacks from within
                                                                 # them
                                                                 "soak", "hostile_trees", "short_programs")),
]
# lines without variables: a fifth of the time that compiling takes
SANITIZE = "-O1 -g1 -Wno-error -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
# images of languages: 900 MB of Debian's packages, unpacked and packed
BUILDS = {"engines": ["/usr/bin/python3", "tests/integration/engine/engines.py"],
          "unit": ["make", "-s", "-j2", "unit"],
          "sanitizers": ["make", "-s", "-j2", "unit", "fuzz", "B=build/asan", "GRAMMAR_DIR=build/grammar",
                         "TEST_OPT=-O0 -U_FORTIFY_SOURCE", "SAN=" + SANITIZE],
          "analyzer": ["make", "-s", "-j2", "analyze"],
          "cppcheck": ["/usr/bin/python3", "tests/cppcheck.py"]}
BUILT = ahead.Ahead(TOP)  # main() starts those of the chosen phases
GRACE = 30  # seconds for a suite that ran out of time to say what it knows


class Lane(threading.local):
    """What a phase says beside others is kept until it has ended; without one it is printed at once."""
    said = None


LANE = Lane()


def say(text):
    if LANE.said is None:
        print(text, flush=True)
    else:
        LANE.said.append(text)


def run(argv, timeout=600, **more):
    """Its output and exit code. When its time is over (seconds of a machine that is not busy) it is interrupted; 30 s
    later all that it started is killed. The code is 124 then."""
    left = budget.Budget(timeout)
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(argv, cwd=more.pop("cwd", TOP), stdout=said, stderr=subprocess.STDOUT,
                                 start_new_session=True, **more)
        is_late = not ended(child, left.spend)
        if is_late:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child.pid, signal.SIGINT)  # pytest tells what it knows
            ended(child, budget.Budget(GRACE, crowd=lambda: 1.0).spend)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        said.seek(0)
        text = said.read().decode("utf-8", "replace")
    if is_late:
        return subprocess.CompletedProcess(argv, 124, "%s\nout of time after %s: ended" % (text, left))
    return subprocess.CompletedProcess(argv, child.returncode, text)


def ended(child, has_time):
    """Whether it ends while there is time."""
    while has_time():
        try:
            child.wait(timeout=1)
            return True
        except subprocess.TimeoutExpired:
            pass
    return False


def closing_line(text):
    found = re.findall(r"^(\d+) passed, (\d+) failed, (\d+) skipped$", text, re.M)
    return tuple(map(int, found[-1])) if found else None


def counted_so_far(text):
    """Of a runner that did not come to its last line: what its lines say."""
    lines = re.findall(r"^(not ok|FAIL|ok|skip) (.*)$", text, re.M)
    skipped = sum(word == "skip" or "# SKIP" in rest for word, rest in lines)
    failed = sum(word in ("not ok", "FAIL") for word, _ in lines)
    return (len(lines) - skipped - failed, failed, skipped)


def counted(name, result):
    """The counts a runner of ours printed; a run without them, or one that died, is one failure."""
    counts = closing_line(result.stdout)
    if counts is None or (result.returncode and not counts[1]):
        passed, failed, skipped = counted_so_far(result.stdout)
        say("%s: %s; until then %d passed, %d failed, %d skipped\n%s" % (
            name, "ran out of time" if result.returncode == 124 else "died with %d" % result.returncode, passed, failed,
            skipped, result.stdout[-4000:]))
        for line in re.findall(r"^not ok .*$", result.stdout, re.M):
            say("  " + line)
        return (passed, failed + 1, skipped)
    for line in result.stdout.splitlines():
        if line.startswith("not ok") or "# SKIP" in line or (counts[1] and line.startswith("#")):
            say("  " + line)
    return counts


def sums(counts):
    return tuple(map(sum, zip(*counts)))


def unit_tests(name, program):
    """In parts, two at once: they wait as much as they compute. Of two halves one took half as long again as the other
    under the sanitizers."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        parts = list(pool.map(lambda part: run([program, "-part=%d/9" % part]), range(1, 10)))
    return sums(counted(name, part) for part in parts)


def phase_unit():
    make = BUILT.result("unit")
    return unit_tests("unit", "build/unit/run") if make.returncode == 0 else counted("unit build", make)


def phase_sanitizers():
    """The same unit tests and every fuzz corpus, under AddressSanitizer and UndefinedBehaviorSanitizer."""
    make = BUILT.result("sanitizers")
    if make.returncode:
        return counted("sanitizer build", make)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        fuzzed = pool.submit(fuzz_corpora)
        return sums([unit_tests("unit under sanitizers", "build/asan/unit/run"), fuzzed.result()])


def fuzz_corpora():
    total = []
    for fuzzer in sorted(os.listdir(os.path.join(TOP, "build/asan/fuzz"))):
        if fuzzer.endswith((".o", ".d")):
            continue
        corpus = os.path.join("tests/fuzz/corpus", fuzzer.replace("fuzz_", ""))
        result = run(["build/asan/fuzz/" + fuzzer, corpus], timeout=300)
        if result.returncode:
            say("%s over %s:\n%s" % (fuzzer, corpus, result.stdout[-3000:]))
        total.append((int(result.returncode == 0), int(result.returncode != 0), 0))
    return sums(total)


def phase_analyzer():
    result = BUILT.result("analyzer")
    if result.returncode:
        say(result.stdout[-4000:])
    return (int(result.returncode == 0), int(result.returncode != 0), 0)


def pytest(name, where, prefix=(), env=None, without=(), suites=SUITES, options=(), timeout=900):
    """A failure more when it did not come to its end: where it was is printed, and what had passed counts."""
    report = os.path.join(where, "build", "progress-%s.jsonl" % name)
    env = {**(os.environ if env is None else env), "SANDBOX_TEST_PROGRESS": report,
           "PYTHONPATH": os.path.join(where, "tests")}
    # --ignore does not hold for what is named
    found = [s for s in suites if s not in without and os.path.exists(os.path.join(where, s))]
    ignored = ["--ignore=" + s for s in (*without, *ENGINE_SUITES) if s not in suites]
    with contextlib.suppress(FileNotFoundError):
        os.unlink(report)
    result = run([*prefix, *PYTEST, "-p", "progress_plugin", *options, *ignored, *found], timeout=timeout, cwd=where,
                 env=env)
    done = progress.read(report)
    for line in result.stdout.splitlines():
        if line.startswith("SKIPPED"):
            say("  " + line)
    for test, why in done.failed.items():
        say("  FAILED %s: %s" % (test, why.replace("\n", " ")))
    if result.returncode in (0, 5 if options else 0) and not done.failed and not done.running and not done.not_run:
        return done.counts
    say(result.stdout[-20000:])
    if result.returncode == 1 and done.failed and not done.not_run:
        return done.counts
    for test in done.running:
        say("  still running: " + test)
    say("  %s did not come to its end (exit code %d): %d passed, %d failed, %d skipped, %d were running, %d not begun"
        % (
        name, result.returncode, *done.counts, len(done.running), done.not_run))
    return sums([done.counts, (0, 1, 0)])


def clean_environment(home):
    """Some callers' environments are poison: proxies, shims, NODE_EXTRA_CA_CERTS."""
    return {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": home, "LANG": "C.UTF-8",
            "TMPDIR": "/tmp"}


def phase_root():
    if os.geteuid() != 0:
        say("  skipped: not root")
        return (0, 0, 1)
    home = tempfile.mkdtemp(prefix="sandbox-agent-check-")
    try:
        # the user has a phase of its own
        return pytest("root", TOP, env={**clean_environment(home), "SANDBOX_TEST_AS": "root"})
    finally:
        shutil.rmtree(home, ignore_errors=True)


def is_left_behind(directory, name):
    """Of the copy for an ordinary user. What root's workers compiled of the tests goes along: each of the user's four
    needed six seconds for it."""
    if name == "__pycache__":
        return not directory.startswith(os.path.join(TOP, "tests"))
    if name == "node_modules" and re.fullmatch(r"sdk/typescript|tests/(?!schemas)\w+", os.path.relpath(directory, TOP)):
        return True  # 170 MB of packages for tests that are ONCE
    return name == ".git" or (directory == TOP and name == "build")


def phase_user():
    """From a copy that an ordinary user can read, wherever the checkout lies."""
    if os.geteuid() != 0:
        with tempfile.TemporaryDirectory(prefix="sandbox-agent-check-") as home:
            return pytest("user", TOP, env=clean_environment(home))
    copy = tempfile.mkdtemp(prefix="sandbox-agent-check-")
    try:
        shutil.copytree(TOP, copy, dirs_exist_ok=True,
                        ignore=lambda d, names: {n for n in names if is_left_behind(d, n)})
        os.chmod(copy, 0o755)
        # escape: the attacks, which root's phase has compiled
        for part in ("bin", "libexec", "share", "escape/bin", "escape/scripts"):
            if os.path.isdir(os.path.join(TOP, "build", part)):
                shutil.copytree(os.path.join(TOP, "build", part), os.path.join(copy, "build", part))
        home = os.path.join(copy, "home")
        os.mkdir(home)
        run(["chown", "-R", "%d:%d" % (USER_ID, USER_ID), copy])
        drop = ["/usr/bin/setpriv", "--reuid=%d" % USER_ID, "--regid=%d" % USER_ID, "--clear-groups"]
        say("  once, as root: " + " ".join(ONCE))
        # of the levels the two ends, each attack at one (engine/native_suites.py): all of them root has had
        return pytest("user", copy, drop, {**clean_environment(home), "SANDBOX_TEST_LEAN": "1"}, ONCE)
    finally:
        shutil.rmtree(copy, ignore_errors=True)


def phase_engines():
    """The suites that need a container engine: one of each kind for all of them, private and gone at the end."""
    sys.path.insert(0, os.path.join(TOP, "tests/integration"))
    from engine import engines, native_suites
    kinds = [kind for kind in (engines.Docker, engines.Podman, engines.PodmanRunsc) if not kind.reason_against()]
    if engines.Docker not in kinds:
        say("  skipped: " + engines.Docker.reason_against())
        return (0, 0, 1)
    images = BUILT.result("engines")
    if images.returncode:
        return counted("images for the engines", images)
    home = tempfile.mkdtemp(prefix="sandbox-agent-check-")
    with contextlib.ExitStack() as at_the_end:
        at_the_end.callback(shutil.rmtree, home, ignore_errors=True)
        try:
            running = [at_the_end.enter_context(kind()) for kind in kinds]
        except (engines.EngineError, OSError) as e:
            say("engines: %s" % e)
            return (0, 1, 0)
        env = {**clean_environment(home), **{engines.variable(engine.name): engine.socket for engine in running}}
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            native = running[:2]  # not of gVisor: its tests are engine/'s own
            # half a minute for the images with compilers
            loading = [pool.submit(native_suites.configuration, engine) for engine in native]
            counts = [pytest("engines", TOP, env=env, suites=ENGINE_SUITES)]
        for engine, values in zip(native, loading):
            counts.append(native_on(engine, values.result(), env, home, native_suites))
        return sums(counts)


def native_on(engine, values, env, home, native_suites):
    """The native backend's own tests with this engine below them. One failure more when something is left in it."""
    given = os.path.join(home, engine.name + ".yaml")
    with open(given, "w", encoding="utf-8") as f:
        f.write(native_suites.as_text(values))
    is_docker = engine.name == "docker"
    say("  native suites on %s: %s"
        % (engine.name, "levels low and high" if is_docker else native_suites.LEAN_ON_PODMAN))
    env = {**env, "SANDBOX_TEST_CONFIG": given, "SANDBOX_TEST_AS": "root", "SANDBOX_TEST_LEAN": "1"}
    if is_docker and not sys.argv[1:]:
        say("  every second attack: all of them by ./check engines")
        env["SANDBOX_TEST_HALF"] = "1"
    suites = native_suites.SUITES if is_docker else native_suites.SUITES[:2]
    counts = pytest("native-on-" + engine.name, TOP, env=env, suites=suites,
                    options=[] if is_docker else ["-k", "(%s) and not go and not rust" % native_suites.LEAN_ON_PODMAN])
    left = engine.containers() + engine.volumes()
    if left:
        say("  left in %s: %s" % (engine.name, " ".join(left)))
    return sums([counts, (0, int(bool(left)), 0)])


def guest(name, timeout, *words):
    """A run of tests/vm/run.sh: its counts, and of what did not pass the lines."""
    result = run(["tests/vm/run.sh", *words], timeout=timeout)
    for line in result.stdout.splitlines():
        if line.startswith(("FAIL ", "skip ")):
            say("  " + line)
    counts = counted(name, result)
    if counts[1] and closing_line(result.stdout):
        say(result.stdout[-8000:])
    return counts


def phase_vm():
    """cgroup v2, systemd and AppArmor, which this machine may not have: in emulated guests, one after the other. The
    second has SELinux, the third Docker."""
    if os.geteuid() != 0 or not shutil.which("qemu-system-x86_64"):
        say("  skipped: needs root and qemu-system-x86_64")
        return (0, 0, 1)
    make = run(["make", "-s", "deb"])
    if make.returncode:
        return counted("package", make)
    return sums([guest("vm", 1200),
                 guest("vm with SELinux", 1200, "--selinux", "--timeout", "900", "--", "bash",
                       "tests/vm/guest-tests.sh", "selinux"),
                 guest("vm with Docker", 2400, "--docker", "--timeout", "1800", "--", "bash", "tests/vm/guest-tests.sh",
                       "docker")])


def phase_package():
    """The Debian package in a fresh tree of debootstrap's, without systemd."""
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        say("  skipped: needs root and debootstrap")
        return (0, 0, 1)
    make = run(["make", "-s", "deb"])
    return counted("package", run(["tests/package/run.sh"]) if make.returncode == 0 else make)


def untouched(state):
    """A failure for the phase in which something wrote where an installed sandbox-agent keeps its state."""
    touched = state.touched()
    for path in touched[:20]:
        say("  the tests wrote into the machine's own state: " + path)
    return (0, int(bool(touched)), 0)


def phase_arm64():
    """Everything built by a cross compiler; under qemu's user emulation the unit tests that need no kernel of that
    machine."""
    needed = ("aarch64-linux-gnu-gcc", "qemu-aarch64-static", "debootstrap")
    missing = [program for program in needed if not shutil.which(program)]
    if os.geteuid() != 0 or missing:
        say("  skipped: needs root%s" % "".join(" and " + program for program in missing))
        return (0, 0, 1)
    return counted("arm64", run(["tests/arm64/run.sh"], timeout=3600))


def phase_format():
    """Every C file as clang-format writes it; no line of prose or Python beyond 120 columns."""
    if not shutil.which("clang-format"):
        say("  skipped: clang-format is not installed")
        return (0, 0, 1)
    return counted("format", run(["/usr/bin/python3", "tests/format.py"]))


def phase_cppcheck():
    """What cppcheck finds beyond tests/cppcheck-baseline.txt."""
    if not shutil.which("cppcheck"):
        say("  skipped: cppcheck is not installed")
        return (0, 0, 1)
    return counted("cppcheck", BUILT.result("cppcheck"))


def phase_clang():
    """Every program and every unit test compiled by clang, and the unit tests run."""
    if not shutil.which("clang"):
        say("  skipped: clang is not installed")
        return (0, 0, 1)
    cache = "ccache " if shutil.which("ccache") else ""
    make = run(["make", "-s", "-j2", "B=build/clang", "CC=%sclang" % cache, "MUSL=%sclang" % cache, "all", "unit"],
               timeout=1200)
    return unit_tests("unit by clang", "build/clang/unit/run") if make.returncode == 0 else counted("clang build", make)


def phase_coverage():
    """Lines that the unit tests reach, by module: a table, and no verdict."""
    if not shutil.which("gcovr"):
        say("  skipped: gcovr is not installed")
        return (0, 0, 1)
    make = run(["make", "-s", "-j2", "B=build/coverage", "SAN=--coverage -O0", "unit"], timeout=1200)
    if make.returncode:
        return counted("coverage build", make)
    counts = unit_tests("unit with coverage", "build/coverage/unit/run")
    table = run(["/usr/bin/python3", "tests/coverage.py", "build/coverage"])
    say(table.stdout)
    return sums([counts, (0, int(table.returncode != 0), 0)])


PHASES = {"unit": phase_unit, "sanitizers": phase_sanitizers, "analyzer": phase_analyzer, "root": phase_root,
          "user": phase_user, "engines": phase_engines, "package": phase_package, "arm64": phase_arm64, "vm": phase_vm,
          "format": phase_format, "cppcheck": phase_cppcheck, "clang": phase_clang, "coverage": phase_coverage}
BUILT_AHEAD = ("unit", "sanitizers")  # while the first of the others wait

# By name, and before a release: analyzer takes six minutes of processor time (a fifth of all others together), vm
# eight minutes of emulation and Docker's guest as many again, package a minute of downloads the first time.
DEFAULT_PHASES = ["format", "cppcheck", "root", "user", "engines", *BUILT_AHEAD]


# Engines are waited for more than anything computes: these run meanwhile, one after the other.
BESIDE = ("engines", ("format", "cppcheck", *BUILT_AHEAD))


def main():
    chosen = sys.argv[1:] or DEFAULT_PHASES
    unknown = [name for name in chosen if name not in PHASES]
    if unknown:
        say("unknown phase %s: known are %s" % (unknown[0], " ".join(PHASES)))
        return 2
    state = real_state.RealState()
    why_not = state.cover()
    if why_not:
        say("the machine's own state is looked at, not covered: " + why_not)
    with BUILT.making({name: BUILDS[name] for name in BUILDS if name in chosen}):
        return run_phases(chosen, state)


def run_phase(name):
    """-> its counts"""
    say("== " + name)
    begin = time.monotonic()
    counts = PHASES[name]()
    say("%s: %d passed, %d failed, %d skipped, %.0f s" % (name, *counts, time.monotonic() - begin))
    return counts


def run_beside(names):
    """One after the other. -> their counts; what they say is printed when all have ended"""
    LANE.said = []
    counts = sums([(0, 0, 0), *map(run_phase, names)])
    return counts, LANE.said


def run_phases(chosen, state):
    beside = [name for name in chosen if name in BESIDE[1] and BESIDE[0] in chosen]
    total = []
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        for name in [name for name in chosen if name not in beside]:
            other = pool.submit(run_beside, beside) if name == BESIDE[0] else None
            total.append(run_phase(name))
            if other:
                counts, said = other.result()
                total.append(counts)
                say("\n".join(said))
            total.append(untouched(state))
    total = sums(total)
    say("%d passed, %d failed, %d skipped" % total)
    return 1 if total[1] or not total[0] else 0


if __name__ == "__main__":
    sys.exit(main())
