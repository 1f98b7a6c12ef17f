"""What is left when something breaks at the worst moment: nothing.

    pytest -n 2 tests/integration/test_faults.py     as root: every test as root and as an ordinary user
    SANDBOX_TEST_AS=root                             as root only: tests/run.py has a phase for the ordinary user
    SANDBOX_AGENT_PREFIX=dir                         another installation than build/
    SANDBOX_FAULT_ROUNDS=200                         more kills (default 60 of each kind)
    SANDBOX_MUST_WORK=1                              what this machine cannot do is a failure, not a skip

A namespace lives as long as a process, a mount or an open descriptor holds it, so it is gone when these are. Processes
are found by descent (pytest's process is a child subreaper: orphans end up here, whoever was killed in between) and by
a marker in the payload's arguments; control groups by the number of a launcher that is dead. So other sandboxes of this
machine, and pytest-xdist's other workers, do not disturb.
"""
import concurrent.futures
import contextlib
import ctypes
import json
import os
import pathlib
import random
import re
import resource
import secrets
import shutil
import signal
import subprocess
import tempfile
import time

import helpers
import pytest

REPO = pathlib.Path(__file__).resolve().parents[2]
PREFIX = pathlib.Path(os.environ.get("SANDBOX_AGENT_PREFIX", REPO / "build"))
ROUNDS = int(os.environ.get("SANDBOX_FAULT_ROUNDS", "60"))
USER = 1000
PYTHON = "/usr/bin/python3"
PAUSE = {"x86_64": "34", "aarch64": "73"}.get(os.uname().machine)  # of pause(2), or of the ppoll(2) that stands for it
PATIENCE = 60.0  # seconds until what was ours must be gone; a loaded machine, not a slow sandbox
KEPT_OUTPUT = re.compile(r"^((low|medium|high)-risk_.*\.log|audit\.(jsonl|lock|sync|idx|tree)|artifacts|\.swept)$")

libc = ctypes.CDLL(None, use_errno=True)


def skip(why):
    if os.environ.get("SANDBOX_MUST_WORK"):
        pytest.fail("must work, but: " + why)
    pytest.skip(why)


# ---- looking at the host ----

def wait_until(condition, patience=PATIENCE):
    """condition() -> what is still wrong; returns it if that does not end."""
    return helpers.poll(condition, patience, every=0.005)


def stat_of(pid):
    """(name, state, parent) or None"""
    text = helpers.read("/proc/%d/stat" % pid)
    if not text:
        return None
    name, rest = text[text.index("(") + 1:text.rindex(")")], text[text.rindex(")") + 2:].split()
    return name, rest[0], int(rest[1])


def children(pid):
    found = []
    try:
        tasks = os.listdir("/proc/%d/task" % pid)
    except OSError:
        return found
    for task in tasks:
        found += [int(p) for p in helpers.read("/proc/%d/task/%s/children" % (pid, task)).split()]
    return found


def descendants(pid):
    found, queue = [], [pid]
    while queue:
        for child in children(queue.pop()):
            found.append(child)
            queue.append(child)
    return found


def started():
    """What a test here has started: not the servers that other tests keep (helpers.residents)."""
    kept = set(helpers.residents).union(*map(descendants, helpers.residents))
    return [p for p in descendants(os.getpid()) if p not in kept]


def alive(pids):
    """Those that are neither gone nor zombies; orphans that ended are reaped on the way."""
    living = {}
    for pid in pids:
        facts = stat_of(pid)
        if facts and facts[1] in "ZX" and facts[2] == os.getpid():
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        elif facts and facts[1] not in "ZX":
            living[pid] = facts[0]
    return living


def with_marker(marker):
    marker, found = marker.encode(), {}
    for entry in os.listdir("/proc"):
        if entry.isdigit() and int(entry) != os.getpid():
            try:
                with open("/proc/%s/cmdline" % entry, "rb") as f:
                    text = f.read()
            except OSError:
                continue
            if marker in text:
                found[int(entry)] = text.replace(b"\0", b" ")[:120]
    return found


def cgroups(owner=r"\d+"):
    pattern, found = re.compile(r"^sandbox-agent\.%s\.\d+$" % owner), []
    for path, dirs, _ in os.walk("/sys/fs/cgroup"):
        found += [os.path.join(path, d) for d in dirs if pattern.match(d)]
    return found


def dead_cgroups(launchers):
    """Groups of those launchers (ours) that no longer live."""
    return [g for pid in sorted(launchers) if not os.path.exists("/proc/%d" % pid) for g in cgroups(pid)]


def mounts():
    return {line.split(" ", 2)[2] for line in helpers.read("/proc/self/mountinfo").splitlines()}


# ---- arranging ----

class Machine:
    """Where our runs live: an installation everybody may read, and a home of their own for root or the user."""

    def __init__(self, uid):
        if not (PREFIX / "bin/sandbox-agent").exists():
            skip("%s/bin/sandbox-agent is not built" % PREFIX)
        libc.prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
        self.uid = uid
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="test-faults-"))
        self.dir.chmod(0o755)
        self.prefix = self.dir / "prefix"
        for part in ("bin", "libexec", "share"):
            shutil.copytree(PREFIX / part, self.prefix / part)
        self.agent = str(self.prefix / "bin/sandbox-agent")
        self.launcher = str(self.prefix / "libexec/sandbox-agent/sandbox-launcher")
        self.home, self.tmp, self.log, self.state = (self.dir / name for name in ("home", "tmp", "log", "state"))
        self.config = self.home / ".config/sandbox-agent/config.yaml"
        for place in (self.home, self.tmp, self.log, self.state, self.config.parent):
            place.mkdir(parents=True)
        self.set_log_dir(self.log)
        self.level = "medium"
        for path in (self.home, *self.home.rglob("*"), self.tmp, self.log, self.state):
            os.chown(path, uid, uid)
        self.env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(self.home), "TMPDIR": str(self.tmp),
                    "XDG_CACHE_HOME": str(self.home / ".cache"), "LANG": "C.UTF-8"}
        self.marker = "marker-" + secrets.token_hex(8)
        self.launchers = set()  # of ours, seen so far
        self.mounts_before = mounts()
        self.files_before = self.files()

    def set_log_dir(self, path):
        self.config.write_text("sandbox:\n  paths: {log_dir: %s, state_dir: %s}\nagixt: {analysis: {enabled: false}}\n"
                               % (path, self.state))

    def identity(self):
        return {} if self.uid == os.geteuid() else {"user": self.uid, "group": self.uid, "extra_groups": []}

    def argv(self, *payload, options=(), prefix=()):
        return [*prefix, self.agent, "--risk-level", self.level, *options, "--", *payload]

    def start(self, *payload, options=(), prefix=(), env=None, **popen):
        popen = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": "/",
                 **self.identity(), **popen}
        return subprocess.Popen(self.argv(*payload, options=options, prefix=prefix),
                                env=self.env if env is None else env, **popen)

    def run(self, *payload, timeout=60, **more):
        more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
        proc = self.start(*payload, **more)
        try:
            out, err = proc.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            proc.kill()
            pytest.fail("hangs: %s" % " ".join(proc.args))
        return subprocess.CompletedProcess(proc.args, proc.returncode, (out or b"").decode(), (err or b"").decode())

    def result(self, *payload, options=(), **more):
        done = self.run(*payload, options=("--json", *options), **more)
        assert done.stdout, done.stderr
        return done.returncode, json.loads(done.stdout)

    def note_launchers(self):
        for pid in descendants(os.getpid()):
            facts = stat_of(pid)
            if facts and facts[0] == "sandbox-launche" and facts[2] != 0 and \
                    (stat_of(facts[2]) or ("",))[0] != "sandbox-launche":
                self.launchers.add(pid)

    def launcher_of(self, proc, patience=PATIENCE):
        """The launcher's pid, once it is there (None: the run was faster)."""
        until = time.monotonic() + patience
        while time.monotonic() < until and proc.poll() is None:
            for pid in children(proc.pid):
                if (stat_of(pid) or ("",))[0] == "sandbox-launche":
                    self.launchers.add(pid)
                    return pid
            time.sleep(0.001)
        return None

    def find_payload(self):
        """A pid with the marker that is no longer one of ours, and whose parent has none: the payload's first
        process."""
        found = with_marker(self.marker)
        for pid in found:
            name, _, parent = stat_of(pid) or ("", "", 0)
            if name and not name.startswith("sandbox-") and (
                parent not in found or (stat_of(parent) or ("sandbox-",))[0].startswith("sandbox-")):
                return pid  # a child of ours shows our words until it has become its program
        return None

    def payload_of(self, patience=PATIENCE):
        until = time.monotonic() + patience
        while time.monotonic() < until:
            pid = self.find_payload()
            if pid:
                return pid
            time.sleep(0.005)
        pytest.fail("the payload did not start")

    def start_to_the_deadline(self, work, seconds, *options):
        """A run with a deadline whose program was there before it: on a busy machine the deadline comes later. ->
        (process, when it was started, seconds)"""
        for allowed in (seconds, 4 * seconds, 40 * seconds):
            begin = time.monotonic()
            proc = self.start(*payload(self, work), options=("--timeout", str(allowed), *options),
                              stdout=subprocess.PIPE)
            while proc.poll() is None and time.monotonic() < begin + allowed / 2:
                if self.find_payload():
                    return proc, begin, allowed
                time.sleep(0.005)
            proc.communicate()
        pytest.fail("the payload did not start within %d s" % allowed)

    def files(self):
        """Every file that a run could leave, but logs and the caches that are meant to stay."""
        kept = (self.home / ".cache", self.home / ".local", self.log, self.prefix)
        found = {p for place in (self.home, self.tmp) for p in place.rglob("*")
                 if not any(k in (p, *p.parents) for k in kept)}
        found |= {p for p in (self.home / ".cache").rglob("*") if re.search(r"tmp|\.new|~$|\.[0-9]+$", p.name)}
        found |= {p for p in self.log.glob("*") if not KEPT_OUTPUT.match(p.name)}
        return found | {pathlib.Path("/dev/shm") / n for n in os.listdir("/dev/shm") if "sandbox" in n}

    # what must be true afterwards

    def no_process_left(self):
        def left():
            self.note_launchers()
            return alive(started()) or {p: c for p, c in with_marker(self.marker).items() if p in alive([p])}
        rest = wait_until(left)
        assert not rest, "still there: %s" % {p: (n, helpers.read("/proc/%d/cmdline" % p).replace("\0", " ")[:100])
                                              for p, n in rest.items()}

    def nothing_left(self, swept=True):
        self.no_process_left()
        if swept:
            rest = wait_until(lambda: dead_cgroups(self.launchers))
            assert not rest, rest
        # others may mount and unmount meanwhile: only what looks like ours, or like a bound namespace, counts
        new = [m for m in mounts() - self.mounts_before if re.search(r"sandbox|nsfs|test-faults| /proc/r", m)]
        assert not new, new
        assert not self.files() - self.files_before

    def close(self):
        for pid in alive(started()):
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        wait_until(lambda: alive(started()))
        shutil.rmtree(self.dir, ignore_errors=True)


@pytest.fixture(params=helpers.USERS)
def machine(request):
    m = Machine(USER if request.param == "user" and os.geteuid() == 0 else os.geteuid())
    yield m
    m.close()


@pytest.fixture
def as_root():
    if os.geteuid() != 0:
        pytest.skip("arranging this takes root")
    m = Machine(0)
    yield m
    m.close()


# kinds of work: a name, and Python that does it until somebody ends it
WORK = {
    "sleeping": "import time; time.sleep(60)",
    "forking": "import os, time\n"
               "for i in range(6):\n"
               "    if os.fork() == 0:\n"
               "        os.setsid()\n"
               "        if os.fork() == 0: time.sleep(60)\n"
               "        os._exit(0)\n"
               "while True:\n"
               "    try: os.fork() or os._exit(0)\n"
               "    except OSError: time.sleep(0.001)\n"
               "    try: os.waitpid(-1, os.WNOHANG)\n"
               "    except OSError: pass",
    "writing output": "import time\nwhile True: print('x' * 1000); time.sleep(0.0001)",
    "filling its disk": "\nwhile True:\n  try:\n    with open('/tmp/f', 'ab', 0) as f: f.write(b'x' * (1 << 20))\n"
                        "  except OSError: pass",
    "deaf": "import signal, time\nfor s in range(1, 65):\n  try: signal.signal(s, signal.SIG_IGN)\n"
            "  except (OSError, ValueError): pass\ntime.sleep(60)",
    "busy with threads": "import threading\nfor i in range(4): threading.Thread(target=lambda: [None for _ in "
                         "iter(int, 1)]).start()",
}


def payload(machine, work):
    return [PYTHON, "-I", "-S", "-c", "%s\n# %s" % (WORK[work], machine.marker)]


def moments(rounds, seed):
    """Half of them while the sandbox comes to be, half while the program runs."""
    r = random.Random(seed)
    return [(r.uniform(0, 0.012) if i % 2 else r.uniform(0.012, 0.1), list(WORK)[i % len(WORK)]) for i in range(rounds)]


# ---- killed ----

def test_kill_9_of_the_command_line_leaves_nothing(machine):
    for moment, work in moments(ROUNDS, 1):
        proc = machine.start(*payload(machine, work))
        time.sleep(moment)
        machine.note_launchers()
        proc.kill()
        proc.wait()
        machine.no_process_left()  # each time: a later run must not hide what this one left
    assert machine.launchers
    machine.nothing_left()


def test_kill_9_of_the_launcher_ends_the_run_and_leaves_nothing_to_the_next_start(machine):
    codes, groups_met = set(), 0
    for i, (moment, work) in enumerate(moments(ROUNDS, 2)):
        proc = machine.start(*payload(machine, work))
        launcher = machine.launcher_of(proc)
        time.sleep(moment)
        if i % 10 == 9:
            machine.payload_of()  # however slow the machine is, some have come so far
        if launcher:
            groups_met += len(cgroups(launcher))
            with contextlib.suppress(ProcessLookupError):
                os.kill(launcher, signal.SIGKILL)
        codes.add(proc.wait(timeout=PATIENCE))
        machine.no_process_left()
    assert codes == {125}
    machine.nothing_left(swept=False)  # a kill -9 may leave empty groups ...
    if cgroups_are_ours(machine):
        assert groups_met, "no kill met a launcher with a group: the test proves nothing"
    for group in dead_cgroups(machine.launchers):  # fewer than met: any other launcher's end sweeps, too
        assert not helpers.read(group + "/cgroup.procs"), group
    assert machine.run("/bin/true").returncode == 0
    machine.nothing_left()  # ... which the next start sweeps


def cgroups_are_ours(machine):
    return machine.result("/bin/true")[1]["isolation"]["cgroup"] == "v1"


def test_kill_9_of_the_launcher_is_a_sandbox_error_of_one_line(machine):
    proc = machine.start(*payload(machine, "sleeping"), options=("--json",), stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)
    launcher = machine.launcher_of(proc)
    machine.payload_of()
    begin = time.monotonic()
    os.kill(launcher, signal.SIGKILL)
    out, err = proc.communicate(timeout=PATIENCE)
    assert time.monotonic() - begin < 20  # at once, and not when the deadline is over
    result = json.loads(out)
    assert (proc.returncode, result["reason"], err) == (125, "sandbox_error", b"")
    assert result["error"]["code"] and "launcher" in result["error"]["message"]
    machine.no_process_left()
    machine.run("/bin/true")
    machine.nothing_left()


def test_kill_9_of_init_is_told_and_leaves_nothing(machine):
    for moment in (0.05, 1, 5):  # until the start is reported: before that, a death is one during the set-up
        proc = machine.start(*payload(machine, "forking"), options=("--json",), stdout=subprocess.PIPE)
        machine.launcher_of(proc)
        init = stat_of(machine.payload_of())[2]
        assert not wait_until(lambda: "Seccomp:\t2" not in helpers.read("/proc/%d/status" % init))
        time.sleep(moment)
        os.kill(init, signal.SIGKILL)
        out, _ = proc.communicate(timeout=PATIENCE)
        assert out, proc.returncode
        r = json.loads(out)
        machine.nothing_left()
        if r["reason"] != "sandbox_error":
            break
    assert (proc.returncode, r["reason"]) == (137, "killed"), r


@pytest.mark.parametrize("delayed", ["prctl", "setsid", "pivot_root", "recvmsg", "seccomp", "execve"])
def test_a_launcher_killed_while_its_init_stands_at(machine, delayed):
    """Init is held at one system call of its way while its launcher dies: it must not start the payload, or not keep
    it."""
    if not shutil.which("strace"):
        skip("strace is not installed")
    proc = machine.start(*payload(machine, "sleeping"), prefix=(
        "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + delayed, "-e",
        "inject=%s:delay_enter=300000" % delayed))
    launcher = None
    until = time.monotonic() + PATIENCE
    while not launcher and time.monotonic() < until:
        time.sleep(0.002)
        found = [p for p, n in alive(descendants(proc.pid)).items() if n == "sandbox-launche"]
        above = [p for p in found if (stat_of(p) or ("", "", 0))[2] not in found]
        launcher = above[0] if above and len(found) > 1 else None
    if not launcher:
        proc.kill()
        skip("strace holds nothing here")
    machine.launchers.add(launcher)
    time.sleep(0.15)
    with contextlib.suppress(ProcessLookupError):
        os.kill(launcher, signal.SIGKILL)
    rest = wait_until(lambda: with_marker(machine.marker) if proc.poll() is None else None)
    assert not rest, "its launcher is dead, and it runs on: %s" % rest
    machine.no_process_left()
    machine.run("/bin/true")
    machine.nothing_left()


def test_a_launcher_killed_while_it_maps_a_volume_leaves_nobody_waiting(machine):
    """Who carries the volume's id map for root's launcher does nothing but wait to be ended by it."""
    if machine.uid:
        return  # an ordinary user's sandbox opens its volumes itself
    if not shutil.which("strace"):
        skip("strace is not installed")
    proc = machine.start(*payload(machine, "sleeping"), options=("--volume", "%s:/data:ro" % (REPO / "docs")), prefix=(
        "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=kill", "-e", "inject=kill:delay_enter=60000000"))
    bearer = []

    def is_there():
        below = descendants(proc.pid)
        bearer[:] = [p for p in below if helpers.read("/proc/%d/syscall" % p).split(" ")[0] == PAUSE
                     and (stat_of(p) or ("", "", 0))[2] in below]
        return bearer

    assert not wait_until(lambda: not is_there()), ("no process bears the map of a volume: %s"
                                                    % alive(descendants(proc.pid)))
    launcher = stat_of(bearer[0])[2]
    machine.launchers.add(launcher)
    os.kill(launcher, signal.SIGKILL)
    proc.kill()
    proc.wait()
    machine.no_process_left()
    machine.run("/bin/true")
    machine.nothing_left()


# ---- stopped, slow, many ----

def test_a_stopped_launcher_goes_on_where_it_was(machine):
    proc, begin, seconds = machine.start_to_the_deadline("sleeping", 0.5, "--json")
    launcher = machine.launcher_of(proc)
    os.kill(launcher, signal.SIGSTOP)
    time.sleep(max(0, begin + seconds + 0.5 - time.monotonic()))
    os.kill(launcher, signal.SIGCONT)
    out, _ = proc.communicate(timeout=PATIENCE)
    assert (proc.returncode, json.loads(out)["reason"]) == (124, "timeout")
    machine.nothing_left()


def test_a_launcher_that_stays_stopped_does_not_hold_the_command_line_for_ever(machine):
    """The deadline is the launcher's; when it does not keep it, the command line gives up and ends everything
    itself."""
    proc, _, _ = machine.start_to_the_deadline("sleeping", 0.5, "--json")
    launcher = machine.launcher_of(proc)
    os.kill(launcher, signal.SIGSTOP)
    try:
        out, _ = proc.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.kill(launcher, signal.SIGCONT)
        pytest.fail("long after its deadline the command line still waits for a launcher that does not answer")
    assert (proc.returncode, json.loads(out)["reason"]) == (125, "sandbox_error")
    machine.no_process_left()
    machine.run("/bin/true")
    machine.nothing_left()


def test_a_stopped_launcher_whose_command_line_died_cleans_up_when_it_wakes(machine):
    proc = machine.start(*payload(machine, "forking"))
    launcher = machine.launcher_of(proc)
    machine.payload_of()
    os.kill(launcher, signal.SIGSTOP)
    proc.kill()
    proc.wait()
    os.kill(launcher, signal.SIGCONT)
    machine.nothing_left()


def test_50_sandboxes_at_once_each_with_its_own_result(machine):
    def one(i):
        code = ("import sys; print('out', %d); print('err', %d, file=sys.stderr); sys.exit(%d) # %s"
                % (i, i, i, machine.marker))
        return machine.result(PYTHON, "-I", "-S", "-c", code, timeout=120)

    with concurrent.futures.ThreadPoolExecutor(50) as pool:
        for i, (code, result) in enumerate(pool.map(one, range(50))):
            assert (code, result["stdout"], result["stderr"]) == (i, "out %d\n" % i, "err %d\n" % i), result
            assert result["reason"] == ("error" if i else "completed")
    machine.nothing_left()


def test_50_sandboxes_alive_at_once_end_when_their_command_lines_do(machine):
    procs = [machine.start(*payload(machine, "sleeping")) for _ in range(50)]
    rest = wait_until(lambda: 50 - sum(n == "python3" for n in alive(with_marker(machine.marker)).values()), 60)
    assert not rest, "%d of 50 did not start" % rest
    machine.note_launchers()
    for proc in procs:
        proc.kill()
    for proc in procs:
        proc.wait()
    machine.nothing_left()


def test_40_runs_of_the_same_second_have_a_log_file_each(machine):
    procs = [machine.start("/bin/echo", "output of %d" % i) for i in range(40)]
    assert {p.wait(timeout=60) for p in procs} == {0}
    texts = [p.read_text() for p in machine.log.glob("medium-risk_anonymous_*.log")]
    assert sorted(t.splitlines()[0] for t in texts) == sorted("output of %d" % i for i in range(40))
    assert all(t.count("Execution Summary") == 1 for t in texts)
    machine.nothing_left()


# ---- signals to the command line ----

ENDED = {signal.SIGINT: -signal.SIGINT, signal.SIGTERM: 137, signal.SIGHUP: 137, signal.SIGQUIT: 137}


@pytest.mark.parametrize("sig", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_a_signal_ends_the_run_and_leaves_nothing(machine, sig):
    proc = machine.start(*payload(machine, "forking"), options=("--json",), stdout=subprocess.PIPE)
    machine.payload_of()
    machine.note_launchers()
    proc.send_signal(sig)
    out, _ = proc.communicate(timeout=PATIENCE)
    assert (proc.returncode, json.loads(out)["reason"]) == (ENDED[sig], "killed")
    machine.nothing_left()


def test_a_reader_that_leaves_ends_an_endless_writer(machine):
    proc = machine.start(*payload(machine, "writing output"), stdout=subprocess.PIPE)
    proc.stdout.read(1000)
    proc.stdout.close()
    assert proc.wait(timeout=PATIENCE) == 137
    machine.nothing_left()


def full_pipe(machine, *options):
    """A run whose output nobody reads, once its pipe is full."""
    proc = machine.start(*payload(machine, "writing output"), options=options, stdout=subprocess.PIPE)
    machine.payload_of()
    machine.note_launchers()
    time.sleep(0.3)
    return proc


def test_a_reader_that_does_not_read_does_not_hold_the_deadline_up(machine):
    """The command line may wait for its reader, as any filter does; what runs inside ends in time."""
    proc, _, _ = machine.start_to_the_deadline("writing output", 0.5)
    machine.note_launchers()
    rest = wait_until(lambda: {p for p in with_marker(machine.marker) if p != proc.pid})
    assert not rest, rest
    proc.stdout.read()
    assert proc.wait(timeout=PATIENCE) == 124
    machine.nothing_left()


@pytest.mark.parametrize("sig", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_although_its_reader_does_not_read(machine, sig):
    proc = full_pipe(machine)
    proc.send_signal(sig)
    try:
        assert proc.wait(timeout=PATIENCE) == ENDED[sig]
    except subprocess.TimeoutExpired:
        proc.kill()
        machine.no_process_left()
        pytest.fail("blocked in a write it does not heed %s" % sig.name)
    machine.nothing_left()


# ---- disks ----

def in_mount_namespace(machine, script):
    """A prefix that runs script as root of a mount namespace of its own, then the command as whoever we are."""
    if os.geteuid() == 0:
        unshare, drop = ("unshare", "-m"), ("setpriv", "--reuid", str(machine.uid), "--regid", str(machine.uid),
                                            "--clear-groups")
    else:
        unshare, drop = ("unshare", "-Um", "--map-current-user", "--keep-caps"), ("setpriv", "--inh-caps=-all",
                                                                                  "--ambient-caps=-all")
        if subprocess.run([*unshare, "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True).returncode:
            skip("no mount namespace for this user")
    machine.identity = dict  # setpriv does it
    return (*unshare, "sh", "-ec", script + '\nexec "$@"', "sh", *drop)


def tmpfs(machine, place, options=""):
    return "mount -t tmpfs -o uid=%d,mode=700,%s tmpfs %s" % (machine.uid, options, place)


CHATTY = "print('x' * 200000)"


def test_a_full_log_disk_does_not_end_the_run_and_is_told(machine):
    machine.level = "low"
    # The audit has room of its own, however long its records are: what cannot be audited is an error
    audit = machine.log / "audit.jsonl"
    room = "; (umask 077; : >{0}; fallocate -n -l 16k {0})".format(audit)
    if os.geteuid() == 0:
        room += "; chown {1}:{1} {0}".format(audit, machine.uid)
    prefix = in_mount_namespace(machine, tmpfs(machine, machine.log, "size=28k") + room)
    done = machine.run(PYTHON, "-I", "-S", "-c", CHATTY, prefix=prefix)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "x" * 200000 + "\n"
    assert "log" in done.stderr and len(done.stderr.splitlines()) <= 2
    code, result = machine.result(PYTHON, "-I", "-S", "-c", CHATTY, prefix=prefix)
    assert (code, result["reason"], len(result["stdout"])) == (0, "completed", 200001)
    assert "log" in json.dumps({**result, "stdout": "", "error": ""}), "the result must say that the log is incomplete"
    machine.nothing_left()


def test_a_log_disk_that_takes_no_file_at_all_is_a_clear_refusal_or_told(machine):
    prefix = in_mount_namespace(machine, tmpfs(machine, machine.log, "size=16k,nr_inodes=1"))
    done = machine.run("/bin/echo", "well", prefix=prefix)
    assert "log" in done.stderr.lower()
    if done.returncode == 125:
        assert "remedy" in done.stderr
    else:
        assert (done.returncode, done.stdout) == (0, "well\n")
    machine.nothing_left()


@pytest.mark.parametrize("options, needle", [("size=4k", "make room in the file system of"),
                                             ("nr_inodes=1", "make room in the file system of"),
                                             ("ro", "may write")])
def test_where_the_audits_key_cannot_be_made_the_remedy_is_the_right_one(machine, options, needle):
    fill = "; head -c 100000 /dev/zero >%s/fill || true" % machine.state if options == "size=4k" else ""
    mounted = tmpfs(machine, machine.state, options if options != "ro" else "size=1m") + (fill or "; true")
    if options == "ro":
        mounted += "; mount -o remount,ro %s" % machine.state
    done = machine.run("/bin/echo", "well", prefix=in_mount_namespace(machine, mounted))
    assert done.returncode == 125 and str(machine.state) in done.stderr, done
    assert needle in done.stderr and "0600" not in done.stderr, done.stderr
    machine.nothing_left()


def test_a_read_only_log_directory_is_a_clear_refusal(machine):
    prefix = in_mount_namespace(machine, tmpfs(machine, machine.log) + "; mount -o remount,ro %s" % machine.log)
    done = machine.run("/bin/echo", "well", prefix=prefix)
    assert done.returncode == 125 and done.stdout == ""
    assert str(machine.log) in done.stderr and "remedy" in done.stderr
    machine.nothing_left()


def test_without_a_configured_place_logs_fall_back_to_the_users_own(machine):
    machine.config.unlink()
    state = machine.home / "state"
    prefix = in_mount_namespace(machine, "mount -t tmpfs tmpfs /var/log; mount -o remount,ro /var/log")
    done = machine.run("/bin/echo", "well", prefix=prefix, env={**machine.env, "XDG_STATE_HOME": str(state)})
    assert (done.returncode, done.stdout) == (0, "well\n"), done.stderr
    logs = list((state / "sandbox-agent/log").glob("*.log"))
    assert len(logs) == 1 and logs[0].read_text().startswith("well\n")


def test_a_read_only_home_and_cache_are_only_slower(machine):
    assert machine.run("/bin/true").returncode == 0  # makes the cache
    prefix = in_mount_namespace(machine, "mount --bind %s %s; mount -o remount,bind,ro %s" % ((machine.home,) * 3))
    for _ in range(2):
        done = machine.run("/bin/echo", "well", prefix=prefix)
        assert (done.returncode, done.stdout, done.stderr) == (0, "well\n", "")
    shutil.rmtree(machine.home / ".cache", ignore_errors=True)
    done = machine.run("/bin/echo", "well", prefix=prefix)
    assert (done.returncode, done.stdout, done.stderr) == (0, "well\n", "")
    machine.nothing_left()


def test_a_full_cache_disk_is_only_slower(machine):
    cache = machine.home / ".cache"
    cache.mkdir(exist_ok=True)
    os.chown(cache, machine.uid, machine.uid)
    prefix = in_mount_namespace(machine, tmpfs(machine, cache, "size=16k"))
    for _ in range(2):
        done = machine.run("/bin/echo", "well", prefix=prefix)
        assert (done.returncode, done.stdout, done.stderr) == (0, "well\n", "")
    machine.nothing_left()


@pytest.mark.parametrize("damage", ["emptied", "cut in half", "made of zeros", "with one byte changed"])
def test_a_damaged_cache_is_made_again(machine, damage):
    assert machine.run("/bin/true").returncode == 0
    files = [p for p in (machine.home / ".cache").rglob("*") if p.is_file()]
    assert files
    for path in files:
        data = bytearray(path.read_bytes())
        middle = len(data) // 2
        data[middle] ^= 0x41
        new = {"emptied": b"", "cut in half": data[:middle], "made of zeros": bytes(len(data)),
               "with one byte changed": data}[damage]
        path.write_bytes(bytes(new))
    code, result = machine.result("/bin/echo", "well")
    assert (code, result["stdout"]) == (0, "well\n"), result
    machine.nothing_left()


def test_output_to_a_full_disk_is_told(machine):
    full = open("/dev/full", "wb")
    done = machine.run("/bin/echo", "well", stdout=full)
    assert done.returncode != 0 and done.stderr, "output that went nowhere is no success"
    machine.nothing_left()


# ---- poor surroundings ----

def closing(*fds):
    def close():
        for fd in fds:
            os.close(fd)
    return close


@pytest.mark.parametrize("fds", [(0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)], ids=str)
def test_with_standard_descriptors_closed_at_the_start(machine, fds):
    """What the program writes must not end up in whatever got the free number: a socket, a pipe, the log."""
    code = "import sys; print('to stdout', flush=True); print('to stderr', file=sys.stderr) # " + machine.marker
    done = machine.run(PYTHON, "-I", "-S", "-c", code, preexec_fn=closing(*fds))
    if 1 not in fds:
        assert done.stdout == "to stdout\n"
    if 2 not in fds:
        assert done.stderr.startswith("to stderr\n")
    assert done.returncode in ((0, 137) if 1 in fds or 2 in fds else (0,)), done
    logs = list(machine.log.glob("*.log"))
    assert len(logs) == 1
    assert set(logs[0].read_text().split("\n\nExecution ID: ")[0].splitlines()) <= {"to stdout", "to stderr"}
    machine.nothing_left()


def test_what_the_program_prints_never_reaches_the_launcher(machine):
    """With stdout closed a careless command line would give its number to the launcher's socket: a program could then
    kill runs, or ask for some. MESSAGE_KILL (2) for tag 1, reason 4 (oom)."""
    code = ("import os, struct, time\nfor i in range(20): os.write(1, struct.pack('QQQ', 2, 1, 4)); time.sleep(0.01)\n"
            "# " + machine.marker)
    for fds in ((1,), (0, 1), (0, 1, 2)):
        done = machine.run(PYTHON, "-I", "-S", "-c", code, preexec_fn=closing(*fds))
        assert "memory" not in done.stderr, done.stderr
        log = max(machine.log.glob("*.log"), key=lambda p: p.stat().st_mtime_ns)
        assert "Reason: oom" not in log.read_text(errors="replace")
    machine.nothing_left()


def limits(*pairs):
    def lower():
        for which, value in pairs:
            resource.setrlimit(which, (value, value))
    return lower


def assert_works_or_says_why(done):
    if done.returncode == 0:
        assert done.stdout == "well\n"
    else:
        assert done.returncode == 125 and done.stderr.startswith("sandbox-agent: "), done
        assert len(done.stderr.splitlines()) <= 3


@pytest.mark.parametrize("count", [4, 8, 12, 16, 20, 32, 36])
def test_with_few_descriptors_it_works_or_says_why(machine, count):
    done = machine.run("/bin/echo", "well", preexec_fn=limits((resource.RLIMIT_NOFILE, count)))
    assert_works_or_says_why(done)
    if count >= 36:  # a sandbox's numbers up to 32 are fixed (launch/launch.h)
        assert done.returncode == 0, done.stderr
    machine.nothing_left()


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 6, 10])
def test_with_few_processes_it_works_or_says_why(machine, count):
    """RLIMIT_NPROC counts per user: for uid 1000 of a busy machine nothing more may be left. Root is exempt outside,
    its sandboxes are not."""
    done = machine.run("/bin/echo", "well", preexec_fn=limits((resource.RLIMIT_NPROC, count)))
    assert_works_or_says_why(done)
    machine.nothing_left()


@pytest.mark.parametrize("which,value", [("RLIMIT_FSIZE", 100), ("RLIMIT_STACK", 256 << 10), ("RLIMIT_AS", 24 << 20),
                                         ("RLIMIT_DATA", 8 << 20), ("RLIMIT_MEMLOCK", 0), ("RLIMIT_CORE", 0),
                                         ("RLIMIT_SIGPENDING", 0), ("RLIMIT_MSGQUEUE", 0), ("RLIMIT_CPU", 1)])
def test_with_small_limits_it_works_or_says_why(machine, which, value):
    done = machine.run("/bin/echo", "well", preexec_fn=limits((getattr(resource, which), value)))
    assert_works_or_says_why(done)
    machine.nothing_left()


def test_inside_a_user_namespace_it_works_or_says_why(machine):
    for flags in ("-Ur", "-Urp --fork --mount-proc", "-Urmpn --fork"):
        done = machine.run("/bin/echo", "well", prefix=("unshare", *flags.split()))
        if "unshare failed" in done.stderr:
            skip("no user namespaces for this user")
        assert_works_or_says_why(done)
        machine.nothing_left()


def test_in_an_outer_sandbox_without_proc_it_says_why(machine):
    prefix = in_mount_namespace(machine, "umount -l /proc") if os.geteuid() == 0 else skip("takes root")
    done = machine.run("/bin/echo", "well", prefix=prefix)
    assert done.returncode == 125 and "/proc" in done.stderr
    machine.nothing_left()


@pytest.mark.parametrize("env", ["", "PATH=/nowhere", "HOME=", "HOME=relative", "HOME=@/absent",
                                 "HOME=@/absent TMPDIR=/nowhere XDG_CACHE_HOME=@/absent/a XDG_STATE_HOME=relative"])
def test_with_a_strange_environment_it_works_or_says_why(machine, env):
    env = dict(word.replace("@", str(machine.dir)).split("=", 1) for word in env.split())
    done = machine.run("/bin/echo", "well", env=env, prefix=helpers.own_places() if machine.uid == 0 else ())
    assert_works_or_says_why(done)
    if done.returncode:
        assert "log" in done.stderr and "remedy" in done.stderr
    machine.nothing_left()


def test_in_a_directory_that_was_deleted(machine):
    gone = machine.dir / "gone"
    gone.mkdir(mode=0o777)
    gone.chmod(0o777)
    done = machine.run("/bin/pwd", prefix=("sh", "-c", 'cd "$0" && rmdir "$0" && exec "$@"', str(gone)), cwd="/")
    if gone.exists():  # only its parent's owner may remove it
        done = machine.run("/bin/pwd", cwd=str(gone), preexec_fn=lambda: None)
    assert done.returncode == 0 and done.stdout.strip() in ("/workspace", "/tmp"), done
    machine.nothing_left()


def test_in_a_directory_that_cannot_be_entered(as_root):
    closed = as_root.dir / "closed"
    closed.mkdir(mode=0o700)
    as_root.uid = USER
    for path in (as_root.home, *as_root.home.rglob("*"), as_root.tmp, as_root.log, as_root.state):
        os.chown(path, USER, USER)
    done = as_root.run("/bin/echo", "well", cwd=None, preexec_fn=lambda: os.chdir(str(closed)), user=None, group=None,
                       extra_groups=None, prefix=("setpriv", "--reuid", str(USER), "--regid", str(USER),
                                                  "--clear-groups"))
    assert (done.returncode, done.stdout) == (0, "well\n"), done.stderr
    as_root.nothing_left()


def test_with_ignored_and_blocked_signals_it_ends_as_ever(machine):
    def deafen():
        for sig in range(1, 65):
            with contextlib.suppress(OSError, ValueError):
                signal.signal(sig, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_SETMASK, range(1, 65))

    code = "import signal; print([s for s in range(1, 32) " \
           "if signal.getsignal(s) == signal.SIG_IGN and s not in (13, 25)], " \
           "signal.pthread_sigmask(0, [])) # " + machine.marker
    done = machine.run(PYTHON, "-I", "-S", "-c", code, preexec_fn=deafen)
    assert (done.returncode, done.stdout) == (0, "[] set()\n"), done
    done = machine.run(PYTHON, "-I", "-S", "-c", WORK["deaf"], options=("--timeout", "0.5"), preexec_fn=deafen)
    assert done.returncode == 124
    machine.nothing_left()


def test_many_inherited_descriptors_neither_hurt_nor_leak(machine):
    extra = [os.open("/dev/null", os.O_RDONLY) for _ in range(200)]
    try:
        code = ("import os; print([f for f in range(3, 1024) if os.path.exists('/proc/self/fd/%d' % f)]) # "
                + machine.marker)
        done = machine.run(PYTHON, "-I", "-S", "-c", code, pass_fds=extra)
    finally:
        for fd in extra:
            os.close(fd)
    assert (done.returncode, done.stdout) == (0, "[]\n"), done
    machine.nothing_left()


def test_a_full_process_table_inside_does_not_hold_up_the_end(machine):
    code = "import os\nwhile True:\n  try: os.fork()\n  except OSError: pass\n# " + machine.marker
    done = machine.run(PYTHON, "-I", "-S", "-c", code, options=("--timeout", "1"))
    assert done.returncode in (124, 137), done
    machine.nothing_left()


def test_stdin_that_never_ends_does_not_hold_up_the_end(machine):
    read_end, write_end = os.pipe()
    try:
        done = machine.run("/bin/true", options=("--stdin", "-"), stdin=read_end)
        assert done.returncode == 0
    finally:
        os.close(read_end)
        os.close(write_end)
    with open("/dev/zero", "rb") as endless:
        assert machine.run("/bin/true", options=("--stdin", "-"), stdin=endless).returncode == 0
        done = machine.run("/usr/bin/head", "-c", "3000000", options=("--stdin", "-"), stdin=endless)
        assert (done.returncode, len(done.stdout)) == (0, 3000000)
    machine.nothing_left()


def test_an_installation_without_its_launcher_or_policy_says_so(machine):
    for name in ("sandbox-launcher", "sandbox-policy"):
        path = machine.prefix / "libexec/sandbox-agent" / name
        path.rename(path.with_suffix(".away"))
        shutil.rmtree(machine.home / ".cache", ignore_errors=True)
        done = machine.run("/bin/true")
        assert done.returncode == 125 and name in done.stderr and "remedy" in done.stderr, done
        path.with_suffix(".away").rename(path)
    machine.nothing_left()


def test_a_launcher_that_ends_at_once_or_answers_rubbish_is_a_sandbox_error(machine):
    path = machine.prefix / "libexec/sandbox-agent/sandbox-launcher"
    for script in ("#!/bin/sh\nexit 0\n", "#!%s\nimport os, time\nos.write(3, b'rubbish')\ntime.sleep(0.2)\n" % PYTHON,
                   "#!%s\nimport os, struct, time\nos.write(3, struct.pack('QQ', 3, 1))\ntime.sleep(0.2)\n" % PYTHON):
        path.unlink()
        path.write_text(script)
        path.chmod(0o755)
        done = machine.run("/bin/true")
        assert done.returncode == 125 and "LAUNCHER" in done.stderr, done
    machine.no_process_left()
