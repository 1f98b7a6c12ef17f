"""helpers.py - what the integration tests share: a place of its own for each test, runs in it, and a look from outside.

    pytest -n 2 tests/integration           all
    SANDBOX_AGENT_PREFIX=/usr/local         another installation than build/
    SANDBOX_MUST_WORK=1                     what would be skipped fails instead
    SANDBOX_TEST_CONFIG=FILE                values laid below each test's configuration: another backend
    (engine/native_suites.py)

A `Box` is a directory that everybody may read (as root the sandbox runs under another host uid), with the XDG
directories, the configuration and the profiles of one test. Its teardown fails the test that left something behind:
this process is a child subreaper, so whatever outlives its command line ends up here.
"""
import contextlib
import copy
import ctypes
import functools
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

import pytest
import yaml  # python3-yaml: profiles are derived from the shipped ones

ROOT = pathlib.Path(__file__).resolve().parents[2]
PREFIX = pathlib.Path(os.environ.get("SANDBOX_AGENT_PREFIX") or ROOT / "build")
AGENT = PREFIX / "bin/sandbox-agent"
LIBEXEC = PREFIX / "libexec/sandbox-agent"
POLICY = LIBEXEC / "sandbox-policy"
SHARE = PREFIX / "share/sandbox-agent"

LEVELS = ("low", "medium", "high")
LANGUAGES = ("python", "node", "bash", "go", "rust")
SUFFIX = {"python": "py", "node": "js", "bash": "sh", "go": "go", "rust": "rs"}
# as whom a test can run that is for both; SANDBOX_TEST_AS=root: the ordinary user's turn comes elsewhere
USERS = ["user"] if os.geteuid() else ["root"] if os.environ.get("SANDBOX_TEST_AS") == "root" else ["root", "user"]
# where the drivers look (src/plan/lang.c), and Debian's package
PROGRAMS = {"python": (("/usr/bin/python3", "/usr/local/bin/python3"), "python3"),
            "node": (("/usr/bin/node", "/usr/bin/nodejs", "/usr/local/bin/node"), "nodejs"),
            "bash": (("/usr/bin/bash", "/bin/bash", "/usr/local/bin/bash"), "bash"),
            "go": (("/usr/bin/go", "/usr/local/go/bin/go", "/usr/local/bin/go"), "golang-go"),
            "rust": (("/usr/bin/rustc", "/usr/local/bin/rustc"), "rustc")}
# the contract's result object, with the types that a value may have
NONE = type(None)
RESULT = {"execution_id": (str,), "agent_id": (str, NONE), "language": (str, NONE), "risk_level": (str, NONE),
          "backend": (str,),
          "reason": (str,), "exit_code": (int, NONE), "signal": (int, NONE), "stdout": (str,), "stderr": (str,),
          "stdout_truncated": (bool,), "stderr_truncated": (bool,), "duration_ms": (int, float), "timing": (dict,),
          "cpu_ms": (int, float),
          "peak_memory_bytes": (int,), "memory_mib_seconds": (int, float), "bytes_in": (int, NONE),
          "bytes_out": (int, NONE),  # None: nothing counted them (docs/usage.md)
          "violations": (list,), "kill_switch": (str, NONE), "findings": (list,), "needs": (list,),
          "trust": (dict, NONE), "isolation": (dict, NONE), "error": (dict, NONE)}
ISOLATION = ("user_ns", "pid_ns", "mount_ns", "net", "seccomp", "landlock", "cgroup", "apparmor", "selinux",
             "no_new_privs", "caps", "uid",
             "limits", "missing")
TIMING = ("queue_ms", "scan_ms", "decide_ms", "start_ms", "run_ms", "settle_ms")
REASONS = ("completed", "error", "signal", "timeout", "oom", "pids_limit", "output_limit", "killed", "policy_denied",
           "sandbox_error")
PATIENCE = 60  # seconds until a run that should have ended is called hung: far beyond any test's own deadline
MIB = 1 << 20


def copy_installation(place):
    """One that can be damaged. -> place"""
    (place / "bin").mkdir(parents=True)
    for program in (AGENT, AGENT.with_name("sandboxd")):
        if program.exists():
            shutil.copy(program, place / "bin")
    shutil.copytree(LIBEXEC, place / "libexec/sandbox-agent")
    shutil.copytree(SHARE, place / "share/sandbox-agent")
    return place


def skip(why):
    if os.environ.get("SANDBOX_MUST_WORK") == "1":
        pytest.fail("must work, but: " + why)
    pytest.skip(why)


def by_cgroup(box):
    """The kernel's control groups hold the limits of this machine's runs, not the supervisor."""
    return box.command_json("/bin/true")["isolation"]["limits"]["enforced_by"] == "cgroup"


def is_root():
    return os.geteuid() == 0


def need_language(language):
    paths, package = PROGRAMS[language]
    if not any(os.access(p, os.X_OK) for p in paths):
        skip("%s is not installed (apt-get install %s)" % (language, package))


def need_module(name):
    """A Python module of the interpreter that the sandbox uses."""
    need_language("python")
    if subprocess.run(["/usr/bin/python3", "-I", "-c", "import " + name], capture_output=True).returncode:
        skip("python3-%s is not installed" % name)


def from_yaml(text):
    """As yaml.safe_load() reads it, by libyaml: ten times as fast."""
    return yaml.load(text, Loader=yaml.CSafeLoader)


def to_yaml(values):
    """As yaml.safe_dump() writes it, by libyaml, in the order of the keys."""
    return yaml.dump(values, Dumper=yaml.CSafeDumper, sort_keys=False)


@functools.lru_cache(None)
def given_config():
    path = os.environ.get("SANDBOX_TEST_CONFIG")
    return from_yaml(pathlib.Path(path).read_text()) if path else {}


def merged(below, above):
    """A new dictionary: above's values, and below's where above has none."""
    found = copy.deepcopy(below)
    for key, value in above.items():
        found[key] = merged(found[key],
                            value) if isinstance(value, dict) and isinstance(found.get(key),
                                                                             dict) else copy.deepcopy(value)
    return found


@functools.lru_cache(None)
def read_shipped(level):
    return from_yaml((ROOT / "profiles" / (level + "-risk.yaml")).read_text())


def shipped(level):
    return copy.deepcopy(read_shipped(level))  # a caller may change its own


def size(text):
    number, unit = re.fullmatch(r"(\d+)\s*([kmgt]?)i?b?", str(text).lower()).groups()
    return int(number) << {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}[unit]


def poll(condition, patience=30.0, every=0.02):
    """-> what is left when it has gone on for `patience` seconds; otherwise something false"""
    until = time.monotonic() + patience
    left = condition()
    while left and time.monotonic() < until:
        time.sleep(every)
        left = condition()
    return left


def make_preload(path, source):
    """A library of this C source, to be named in LD_PRELOAD: what is always there, but may be slow, or early."""
    subprocess.run(["cc", "-shared", "-fPIC", "-o", path, "-x", "c", "-"], input=source, text=True, check=True)
    os.chmod(path, 0o755)


def at_the_deadline(run, seconds=0.5, is_ready=lambda r: "ready\n" in r["stdout"]):
    """run(seconds) -> the result of a run with this deadline, which ended a program that was ready: on a busy machine
    it takes more of them."""
    while True:
        r = run(seconds)
        if is_ready(r) or seconds > 30:
            return r
        seconds *= 4


def read(path):
    try:
        return pathlib.Path(path).read_text(errors="replace")
    except OSError:
        return ""


# ---- processes, from outside ----

def become_subreaper():
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)


def children(pid):
    found = set()
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # gone meanwhile
        for task in pathlib.Path("/proc/%d/task" % pid).glob("*/children"):
            found.update(int(p) for p in read(task).split())
    return found


def descendants(pid):
    found, queue = set(), [pid]
    while queue:
        for child in children(queue.pop()) - found:
            found.add(child)
            queue.append(child)
    return found


def status(pid, thread=None):
    """/proc/PID/status as a dictionary"""
    path = "/proc/%d/status" % pid if thread is None else "/proc/%d/task/%d/status" % (pid, thread)
    return dict(line.split(":\t", 1) for line in read(path).splitlines() if ":\t" in line)


def namespaces(pid):
    return {name: os.readlink("/proc/%s/ns/%s" % (pid, name))
            for name in ("user", "pid", "mnt", "net", "ipc", "uts", "cgroup")}


def reap_orphans():
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


residents = set()  # children that outlive a test on purpose (net/): they and theirs are not counted as left behind


def left_processes():
    """Descendants of ours that are more than zombies, as «pid name»."""
    reap_orphans()
    excused = residents.union(*map(descendants, residents))
    return ["%d %s" % (p, read("/proc/%d/comm" % p).strip()) for p in descendants(os.getpid()) - excused]


def cgroup_dirs(launcher):
    """Control groups of this launcher, on v1 and v2."""
    return [p for p, _, _ in os.walk("/sys/fs/cgroup")
            if os.path.basename(p).startswith("sandbox-agent.%d." % launcher)]


OWN_PLACES = ('for d in /var/log /var/lib /var/cache; do /bin/mount -t tmpfs -o mode=755 none $d || exit 99; done; '
              'exec "$@"')


def own_places():
    """Words before a command that knows of no directory of the test's, and so would use the system's: as root these are
    empty then, and gone with it. An ordinary user has none there."""
    return ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", OWN_PLACES, "sh"] if is_root() else []


def tree(*tops):
    """Everything below, with size and time: equal before and after means that nothing was written."""
    found = {}
    for top in tops:
        for path, dirs, files in os.walk(top):
            for name in ["."] + files:
                full = os.path.join(path, name)
                st = os.lstat(full)
                found[full] = (st.st_mode, st.st_size if name != "." else 0, st.st_mtime_ns)
    return found


# ---- results ----

def only_object(text):
    """Exactly one JSON object and nothing beside it, no key twice."""
    def unique(pairs):
        assert len(pairs) == len(dict(pairs)), "a key is there twice: %s" % pairs
        return dict(pairs)
    assert text.startswith("{") and text.endswith("}\n"), "not one JSON object on a line of its own: %r" % text[:300]
    value, end = json.JSONDecoder(object_pairs_hook=unique, strict=True).raw_decode(text)
    assert text[end:] == "\n", "something follows the JSON object: %r" % text[end:][:300]
    return value


def check_result(r):
    """The shape of the contract's result object, whatever happened."""
    assert set(RESULT) <= set(r), "missing: %s" % sorted(set(RESULT) - set(r))
    for key, kinds in RESULT.items():
        assert type(r[key]) in kinds, "%s is %r" % (key, r[key])
    assert r["reason"] in REASONS
    assert tuple(r["timing"]) == TIMING and all(type(v) in (int, float) and v >= 0
                                                for v in r["timing"].values()), r["timing"]
    for v in r["violations"]:
        assert {"type", "detail", "at_ms", "severity"} <= set(v), v
    if r["error"] is not None:
        assert {"code", "message", "step", "remedy"} <= set(r["error"]), r["error"]
    if r["isolation"] is not None:
        assert set(ISOLATION) <= set(r["isolation"]), sorted(set(ISOLATION) - set(r["isolation"]))
    if r["reason"] == "completed":
        assert (r["exit_code"], r["signal"], r["error"]) == (0, None, None)
    if r["reason"] == "error":
        assert r["exit_code"], "reason error, and exit code %r" % r["exit_code"]
    if r["reason"] == "signal":
        assert r["exit_code"] is None and r["signal"] > 0


class Done:
    """A command line that ended."""

    def __init__(self, argv, code, out, err, seconds):
        self.argv, self.code, self.out, self.err, self.seconds = argv, code, out or b"", err or b"", seconds

    @property
    def text(self):
        return self.out.decode("utf-8", "replace")

    @property
    def words(self):
        return self.err.decode("utf-8", "replace")

    @functools.cached_property
    def result(self):
        r = only_object(self.out.decode())
        if "execution_id" in r:  # not a dry run's plan
            check_result(r)
        return r

    def __repr__(self):
        return "<%s -> %s, stdout %r, stderr %r>" % (" ".join(map(str, self.argv[1:])), self.code, self.out[:2000],
                                                     self.err[:2000])

    def refused(self, code, *needles):
        """One line that says what, perhaps one with the remedy, nothing else; then these words in it."""
        assert self.code == code, self
        assert self.out == b"", self
        lines = self.words.splitlines()
        assert lines and lines[0].startswith("sandbox-agent: "), self
        assert len(lines) == 1 or (len(lines) == 2 and lines[1].startswith("  remedy: ")), self
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]",
                             self.words), "control characters reach the terminal: %r" % self
        assert self.words.endswith("\n"), self
        for needle in needles:
            assert needle in self.words, "%r is not in %r" % (needle, self)
        return self


class Live:
    """A command line that still runs, and what it started."""

    def __init__(self, process, argv, start):
        self.process, self.argv, self.start = process, argv, start

    def wait_for(self, marker, patience=PATIENCE):
        """Reads standard output until marker is there. -> what was read"""
        fd, seen, until = self.process.stdout.fileno(), b"", time.monotonic() + patience
        os.set_blocking(fd, False)
        while marker not in seen:
            assert time.monotonic() < until, "no %r in %r" % (marker, seen)
            try:
                chunk = os.read(fd, 65536)
            except BlockingIOError:
                time.sleep(0.01)
                continue
            assert chunk, "ended before it said %r: %r, stderr %r" % (marker, seen, self.process.stderr.read())
            seen += chunk
        os.set_blocking(fd, True)
        return seen

    @property
    def launcher(self):
        """The launcher: there from the start, beside a sandbox-policy that comes and goes. Where the configuration
        names another backend that one's, behind a launcher that is there first, and goes."""
        name = "sandbox-engine" if os.environ.get("SANDBOX_TEST_CONFIG") else "sandbox-launch"

        def find():
            return [p for p in children(self.process.pid)
                    if read("/proc/%d/comm" % p).startswith(name) and read("/proc/%d/cmdline" % p)]
        poll(lambda: len(find()) != 1 and self.process.poll() is None)
        found = find()
        assert len(found) == 1, found
        return found[0]

    @property
    def init(self):
        found = [p for p in children(self.launcher) if status(p).get("NSpid", "").split()[1:] == ["1"]]
        assert len(found) == 1, found
        return found[0]

    @property
    def inside(self):
        """The processes of the code, as host pids."""
        return sorted(descendants(self.init))

    def payload(self):
        found = poll(lambda: not self.inside) or self.inside
        assert found, "no process inside"
        return found[0]

    def finish(self, patience=PATIENCE):
        try:
            out, err = self.process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            self.process.kill()
            out, err = self.process.communicate()
            pytest.fail("hung: %s, stdout %r, stderr %r" % (self.argv[1:], out[:1000], err[:1000]))
        return Done(self.argv, self.process.returncode, out, err, time.monotonic() - self.start)


class Box:
    def __init__(self):
        if not AGENT.exists():
            skip("%s is not built" % AGENT)
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="test-sandbox-agent-")).resolve()
        self.dir.chmod(0o755)
        self.log_dir = self.dir / "log"
        self.cwd = self.dir / "cwd"
        self.cwd.mkdir()
        self.env = {"PATH": "/usr/bin:/bin", "HOME": str(self.dir / "home"), "LC_ALL": "C.UTF-8"}
        if os.environ.get("SANDBOX_TEST_LENT"):  # all suites, in the sandboxes of a service that lends there
            self.env["XDG_RUNTIME_DIR"] = os.environ["SANDBOX_TEST_LENT"]
        for name in ("state", "cache", "config"):
            (self.dir / name).mkdir()
            self.env["XDG_%s_HOME" % name.upper()] = str(self.dir / name)
        self.changes, self.profiles_dir = {}, None  # see without_kill_switches()
        self.user_config({})
        self.processes, self.counter = [], 0
        self.prefix = []  # words before the command line: how it gets into another network namespace (net/)

    def close(self):
        for p in self.processes:
            if p.poll() is None:
                p.kill()
            for stream in (p.stdin, p.stdout, p.stderr):
                if stream:
                    stream.close()
            p.wait()
        left = poll(left_processes)
        shutil.rmtree(self.dir, ignore_errors=True)
        assert not left, "left behind: %s" % left

    # -- arranging --

    def user_config(self, values):
        """The user's configuration file: a log directory of our own, and these values. No scan before the run unless it
        is asked for: most tests are of the fence, and run what a scan refuses."""
        values = merged(given_config(), values)
        values.setdefault("agixt", {}).setdefault("analysis", {}).setdefault("enabled", False)
        paths = values.setdefault("sandbox", {}).setdefault("paths", {})
        paths.setdefault("log_dir", str(self.log_dir))
        if self.profiles_dir:
            paths.setdefault("profiles_dir", str(self.profiles_dir))
        path = self.dir / "config/sandbox-agent/config.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(to_yaml(values))

    def file(self, name, content, mode=0o644):
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        path.chmod(mode)
        return path

    def code(self, content, language="python"):
        self.counter += 1
        return self.file("code-%d.%s" % (self.counter, SUFFIX[language]), content)

    def derive(self, level, changes=(), **more):
        """-> file of a profile: the shipped one of this level with these dotted keys changed (dots as __ in
        keywords)."""
        self.counter += 1
        return self.file("profile-%d.yaml" % self.counter, self._derived(level, changes, more))

    def _derived(self, level, changes, more=()):
        profile = copy.deepcopy(shipped(level))
        for key, value in [*self.changes.items(), *dict(changes).items(),
                           *((k.replace("__", "."), v) for k, v in dict(more).items())]:
            place, words = profile, key.split(".")
            for word in words[:-1]:
                place = place.setdefault(word, {})
            place[words[-1]] = value
        return to_yaml(profile)

    def without_kill_switches(self):
        """From here on neither the shipped levels nor what is derived from them end a run by a kill switch. For tests
        of the fence: their programs try what is forbidden, go on and tell what came of it, and at high risk the watch
        would end them at the first try. It is not switched off: what it asks about is decided by the answers that it
        gives, so it is part of the fence."""
        self.changes = {"kill_switches": []}
        self.profiles_dir = self.directory("profiles", 0o755)
        for level in LEVELS:
            self.file("profiles/%s-risk.yaml" % level, self._derived(level, ()))
        self.user_config({})

    def directory(self, name, mode=0o777):
        path = self.dir / name
        path.mkdir(parents=True)
        path.chmod(mode)
        return path

    # -- running --

    def start(self, *args, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=(),
              agent=AGENT, **more):
        argv, begun = [*self.prefix, str(agent), *map(str, args)], time.monotonic()  # it may run before Popen returns
        p = subprocess.Popen(argv, stdin=stdin, stdout=stdout, stderr=stderr, env={**self.env, **dict(env)},
                             cwd=self.cwd, **more)
        self.processes.append(p)
        return Live(p, argv, begun)

    def agent(self, *args, input=None, patience=PATIENCE, **more):
        """Runs the command line with these words. -> Done"""
        if input is not None:
            more["stdin"] = subprocess.PIPE
        live = self.start(*args, **more)
        if input is not None:
            argv, p = live.argv, live.process
            try:
                out, err = p.communicate(input if isinstance(input, bytes) else input.encode(), timeout=patience)
            except subprocess.TimeoutExpired:
                p.kill()
                pytest.fail("hung: %s, %r" % (argv[1:], p.communicate()))
            return Done(argv, p.returncode, out, err, time.monotonic() - live.start)
        return live.finish(patience)

    def words(self, language, code, level="medium", profile=None, options=()):
        """-> the command line that runs code (text, or a file) at a level or by a profile"""
        by = ["--profile", profile] if profile else ["--risk-level", level]
        path = code if isinstance(code, pathlib.Path) else self.code(code, language)
        return [*by, "--language", language, "--code", path, *options]

    def run(self, language, code, level="medium", profile=None, options=(), **more):
        return self.agent(*self.words(language, code, level, profile, options), **more)

    def json(self, language, code, level="medium", profile=None, options=(), **more):
        """-> the result object"""
        done = self.agent("--json", *self.words(language, code, level, profile, options), **more)
        r = done.result
        assert done.code == exit_code(r), (done.code, r)
        return r

    def command(self, *words, level="medium", profile=None, options=(), **more):
        by = ["--profile", profile] if profile else ["--risk-level", level]
        return self.agent(*by, *options, "--", *words, **more)

    def command_json(self, *words, level="medium", profile=None, options=(), **more):
        return self.command(*words, level=level, profile=profile, options=["--json", *options], **more).result

    def live(self, language, code, marker=b"ready", **more):
        """A run that has printed marker and goes on."""
        options = {k: more.pop(k) for k in ("level", "profile", "options") if k in more}
        live = self.start(*self.words(language, code, **options), **more)
        live.seen = live.wait_for(marker)
        return live

    def plan(self, *words, **more):
        """--dry-run --json"""
        done = self.agent("--dry-run", "--json", *words, **more)
        assert done.code == 0, done
        return only_object(done.text)

    def logs(self):
        return sorted(self.log_dir.glob("*.log")) if self.log_dir.exists() else []


def exit_code(r):
    """The contract's exit code for this result."""
    error = (r["error"] or {}).get("code")
    if error:
        return {"usage_error": 2, "policy_denied": 123, "not_executable": 126, "not_found": 127}.get(error, 125)
    if r["reason"] in ("completed", "error"):
        return r["exit_code"]
    if r["reason"] == "signal":
        return 128 + r["signal"]
    if r["reason"] == "pids_limit":
        return r["exit_code"] or 137
    return {"timeout": 124, "policy_denied": 123, "sandbox_error": 125}.get(r["reason"], 137)


def kill_quietly(pid, sig=signal.SIGKILL):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, sig)


class Left:
    """What one run left in /workspace, by its manifest: .files that were kept, by name, .out what was not."""

    def __init__(self, box, result):
        self.dir = box.log_dir / "artifacts" / result["execution_id"]
        entries = [e for e in json.loads((self.dir / "manifest.json").read_text())["artifacts"]
                   if e["role"] == "workspace"]
        assert len({e["name"] for e in entries}) == len(entries), entries
        self.files = {e["name"]: self.content(e) for e in entries if "sha256" in e}
        self.out = {e["name"]: e for e in entries if "left_out" in e}

    def content(self, entry):
        data = (self.dir / entry["sha256"]).read_bytes()
        assert len(data) == entry["size"] and hashlib.sha256(data).hexdigest() == entry["sha256"], entry
        return data
