"""test_forked.py - python at low and medium with warm.enabled: programs are forks of an interpreter that their tenant's
runs have in common. Nothing of a run reaches it, a run cannot touch it, and what must differ between two runs does.
"""
import contextlib
import importlib.util
import os
import pathlib
import secrets
import subprocess
import time

import helpers
import pytest
import service as service_module
from test_warm import CONFIG as ANY, PATIENCE, found_in_memory, interpreters, templates, until_parked, waiting

CONFIG = {**ANY, "security": {"responses": {"quarantine_on_violations": 100000}}}
SECRET_RUNS = int(os.environ.get("SANDBOX_TEST_RUNS", "20"))
COLD = {"PYTHONDONTWRITEBYTECODE": "1"}  # a variable that is read at the start: such a run is not given one that waits


def by_exec():
    """Where the program's profile or type is changed by its exec, there is no fork."""
    lsm = pathlib.Path("/sys/kernel/security/lsm")
    return pathlib.Path("/proc/self/attr/apparmor/current").exists() or (lsm.exists() and "selinux" in lsm.read_text())


@pytest.fixture(scope="module")
def forking():
    helpers.need_language("python")
    if by_exec():
        helpers.skip("AppArmor or SELinux is on: programs are executed")
    with service_module.Service({**CONFIG, "warm": {"enabled": True}}) as s:
        yield s


def forked(service, code, level="low", **more):
    result = until_parked(service, code, level, **more)
    assert result["isolation"]["prepared"] == "forked", result["isolation"]
    return result


def parents(service, others=(), least=0):
    """-> the pids of those that are forked, without `others`, when two looks in a row have found the same: while runs
    come or end, some are made and some are given up"""
    looks = []

    def differ():
        looks.append(set(templates(service)) - set(others))
        return looks[-2:-1] != looks[-1:] or len(looks[-1]) < least
    assert not helpers.poll(differ, PATIENCE, every=0.2), "they come and go: %s" % looks[-5:]
    return looks[-1]


DIFFER = """
import random, uuid, tempfile, secrets, ssl, os
print(hash('abc'), id(object()))
print(random.random(), uuid.uuid4(), uuid.uuid1(), secrets.token_hex(8), ssl.RAND_bytes(8).hex())
print(tempfile.mktemp(), os.urandom(8).hex(), open('/proc/self/stat').read().split()[21])
"""


def test_what_must_differ_between_two_runs_differs(forking):
    seen = [forked(forking, DIFFER)["stdout"].splitlines() for _ in range(10)]
    assert len({lines[0] for lines in seen}) < len(seen), "no two runs have one parent: nothing is tested here"
    *columns, starts = zip(*[(lines[1] + " " + lines[2]).split() for lines in seen])
    for column in columns:
        assert len(set(column)) == len(column), "came twice: %s" % (column,)
    assert len(set(starts)) > 1, "of 10 ms each: two that were forked at once may have the same"


def test_medium_is_forked_and_high_is_not(forking):
    forked(forking, "print(1)\n", "medium")
    assert until_parked(forking, "print(1)\n", "high")["isolation"]["prepared"] == "parked"


KEEPS = "import os, sys\nheap = [sys.stdin.read(), os.environ['S'], sys.argv[1], '%s']\nprint(*heap)\n"


def test_nothing_of_a_run_reaches_the_parent(forking):
    if not helpers.is_root():
        helpers.skip("only root may read the memory of a sandbox's processes")
    words = []
    for _ in range(SECRET_RUNS):
        of_run = [secrets.token_hex(16) for _ in range(4)]
        result = forked(forking, KEEPS % of_run[0], stdin=of_run[1], env={"S": of_run[2]}, args=[of_run[3]])
        assert all(word in result["stdout"] for word in of_run)
        words += of_run
    assert not helpers.poll(lambda: not templates(forking) or not waiting(forking), PATIENCE)
    parents = templates(forking)
    for pid in interpreters(forking):
        found = found_in_memory(pid, [word.encode() for word in words])
        assert not found, "process %d (%s) has words of runs: %s" % (pid, "a parent" if pid in parents else "", found)
    assert any(found_in_memory(pid, [b"/code/.guard.py"]) for pid in parents), "no parent could be looked into"


def test_an_init_that_is_killed_leaves_nothing_of_its_run_in_its_parent(forking):
    """Its memory is the parent's (launch/slot.c), and it could wipe nothing."""
    if not helpers.is_root():
        helpers.skip("only root may read the memory of a sandbox's processes")
    words = [secrets.token_hex(16).encode() for _ in range(2)]

    def have_words():
        return [pid for pid in interpreters(forking) if found_in_memory(pid, words)]
    until = time.monotonic() + PATIENCE
    while True:
        forked(forking, "print(1)\n", agent_id="init")
        before = set(templates(forking))
        id = forking.submit("import time\ntime.sleep(600)\n", risk_level="low", agent_id="init", key=forking.override(),
                            env={"S": words[0].decode()}, args=[words[1].decode()])
        assert not helpers.poll(lambda: not have_words(), PATIENCE)
        holders = have_words()
        if before & set(holders):  # init was told in its parent's memory: it is this run's
            break
        forking.request("DELETE", "/executions/" + id)  # it came cold
        forking.finished(id)
        assert time.monotonic() < until, "no init had its parent's memory: %s" % holders
    for pid, status in interpreters(forking).items():
        if pid not in before and status["NSpid"].split()[-1] == "1":
            helpers.kill_quietly(pid)
    assert forking.finished(id)["result"]["reason"] in ("killed", "sandbox_error")
    left = [pid for pid in have_words() if pid in before]
    assert not left and before & set(templates(forking)), "%s of %s" % (left, before)


# A hook of the program's own sees the interpreter being taken down, which a fork leaves out where it cannot be told.
TAKEN_DOWN = """
import os, sys
def hook(event, args, write=os.write):
    if event == 'cpython.PyInterpreterState_Clear':
        write(2, b'taken down')
sys.addaudithook(hook)
"""
ENDS = {  # code: is the interpreter taken down?
    "print('end')": False,
    "import atexit; atexit.register(print, 'handler'); print('end', end='')": True,
    "import ctypes; ctypes.CDLL(None).printf(b'of C')": False,
    "import collections, json, random; print([x for x in 'ab'], {'a': object()}.keys())": False,
    "sys.kept = os.fdopen(os.dup(1), 'wb'); sys.kept.write(b'not flushed, and kept elsewhere')": True,
    "class C:\n    def __del__(self, write=os.write):\n        write(1, b'deleted')\nc = [C()]": True,
    "class C:\n    pass\nc = C()\nc.c = c\nC.__del__ = lambda self, write=os.write: write(1, b'a cycle')\ndel c": True,
    "def g(write=os.write):\n    try:\n        yield\n    finally:\n        write(1, b'finally')\n"
    "h = g()\nnext(h)": True,
    "import weakref\nclass C: pass\nc = C()\n"
    "r = weakref.ref(c, lambda r, write=os.write: write(1, b'referred'))": True,
    "import gc\nf = os.fdopen(os.dup(1), 'w'); f.write('frozen'); gc.freeze()": True,
    "class S:\n    __slots__ = ()\n    def __del__(self, write=os.write):\n        write(1, b'slot')\nkept = S()": True,
    "import functools, weakref\nclass C: pass\nc = C()\nr = weakref.ref(c, functools.partial(os.write, 1))": True,
    "import threading, time\nthreading.Thread(target=lambda: [time.sleep(0.1), print('thread')]).start()": True,
    "from concurrent.futures import ThreadPoolExecutor as P\nP().submit(print, 'pool')": True,
    "import atexit; atexit.register(divmod, 1, 0)": True,
    "type = map = hasattr = any = getattr = len = None; print('names')": False,
    "os.close(1); sys.stdout.write('nowhere')": True,
}


def test_the_end_of_a_fork_is_pythons(forking, tmp_path):
    path = tmp_path / "main.py"
    for code, is_taken_down in ENDS.items():
        path.write_text(TAKEN_DOWN + code + "\n")
        plain = subprocess.run(["/usr/bin/python3", "-I", "-B", path], stdin=subprocess.DEVNULL, capture_output=True,
                               text=True)
        got = forked(forking, path.read_text())
        assert (got["stdout"], got["exit_code"]) == (plain.stdout, plain.returncode), (code, got["stderr"])
        told = plain.stderr.replace(str(path), "/code/main.py")
        assert told.endswith("taken down"), code
        assert got["stderr"] == told[:None if is_taken_down else -len("taken down")], code


# The last call of a fork's library, by the program itself: it may be answered before the kernel is done with it.
LAST = "import ctypes\nctypes.CDLL(None).syscall(231, 0x53410000)\n"
LASTS = {  # what is before it: whether the run's child is waited for
    "open('/workspace/left', 'w').write('left')": 4,
    "sys.stdout.write('x' * 60000); sys.stdout.flush()": 60000,
    "os.fork() or time.sleep(600)": 0,
    "threading.Thread(target=time.sleep, args=(600,)).start()": 0,
    "subprocess.run(['/bin/sh', '-c', 'i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done'])": 0,
}
# A child in the same memory, which has no page fault: clone(CLONE_VM | CLONE_VFORK | SIGCHLD) of atoi("111...")
LASTS["""
c = ctypes.CDLL(None)
text, stack = b"1" * 80000000, ctypes.create_string_buffer(b"x" * 65536, 65536)
c.atoi(b"1")
child = c.clone(c.atoi, ctypes.c_void_p(ctypes.addressof(stack) + 61440), 0x4100 | 17, ctypes.c_char_p(text))
os.waitpid(child, 0)
print(sum(os.times()[:4]), file=sys.stderr)
"""] = 0


def test_a_program_that_makes_a_forks_last_call_has_ended_as_others_do(forking):
    for before, written in LASTS.items():
        result = forked(forking, "import ctypes, os, subprocess, sys, threading, time\n%s\n%s" % (before, LAST))
        told = (result["reason"], result["exit_code"], result["violations"])
        assert told == ("completed", 0, []), (before, result)
        assert len(result["stdout"]) == (written if "stdout" in before else 0), before
        if "left" in before:
            id = result["execution_id"]
            assert not helpers.poll(lambda: "left" not in forking.request("GET", "/executions/%s/artifacts" % id).text,
                                    PATIENCE), "what it left is not kept"
        if "while" in before:
            assert result["cpu_ms"] >= 20, "its child's time is not its own: %s" % result["cpu_ms"]
        if "clone" in before:
            assert result["cpu_ms"] >= 1000 * float(result["stderr"]) - 20, result


ATTACK = """
import ctypes, os, signal
c = ctypes.CDLL(None, use_errno=True)
print([p for p in os.listdir('/proc') if p.isdigit()], os.getppid())
for pid in range(1, 40):
    if pid != os.getpid():
        for sig in (signal.SIGTERM, signal.SIGSTOP, signal.SIGKILL):
            try:
                os.kill(pid, sig)
            except OSError:
                pass
buffer = ctypes.create_string_buffer(8)
vector = (ctypes.c_size_t * 2)(ctypes.addressof(buffer), 8)
there = (ctypes.c_size_t * 2)(id(None), 8)
print(c.process_vm_readv(1, vector, 1, there, 1, 0), c.process_vm_writev(1, vector, 1, there, 1, 0),
      c.ptrace(16, 1, 0, 0))
for name in ('mem', 'maps', 'environ', 'fd', 'root', 'cwd', 'ns/pid'):
    try:
        print(name, os.listdir('/proc/1/fd') if name == 'fd' else os.open('/proc/1/' + name, os.O_RDONLY))
    except OSError:
        pass
print(c.setns(0, 0), c.unshare(0x10000000), c.prctl(23, 21, 0, 0, 0))
print(sorted(int(f) for f in os.listdir('/proc/self/fd')))
print([l.split()[1] for l in open('/proc/self/status') if l[:3] == 'Cap'])
"""


def test_a_program_cannot_reach_its_parent(forking):
    plain = forking.run(ATTACK, risk_level="low", env=COLD, key=forking.override(), agent_id="attacks")
    others = parents(forking)  # other agents': without work they are given up after a minute
    forked(forking, "print(1)\n", agent_id="attacks")
    own = parents(forking, others, least=1)
    for _ in range(3):
        result = forked(forking, ATTACK, agent_id="attacks")
        assert result["stdout"] == plain["stdout"], result
    assert "-1 -1 -1" in plain["stdout"] and "['0000000000000000', '0000000000000000'" in plain["stdout"]
    assert own <= set(templates(forking)), "a parent has died"


FILLS = {
    "heap": "x = []\nwhile True:\n    x.append(bytearray(1 << 20))\n    print(len(x), flush=True)\n",
    "files": "n = 0\nwhile True:\n    open('/tmp/%d' % n, 'wb').write(b'x' * (1 << 20))\n    n += 1\n"
             "    print(n, flush=True)\n",
}


@pytest.mark.parametrize("name", FILLS)
def test_memory_ends_where_it_ends_cold(forking, name):
    limits = {"memory": "64m"}
    plain = forking.run(FILLS[name], risk_level="low", env=COLD, limits=limits, key=forking.override())
    result = forked(forking, FILLS[name], limits=limits)
    assert result["reason"] == plain["reason"], (result, plain)
    reached = [int(r["stdout"].splitlines()[-1]) for r in (plain, result)]
    if result["isolation"]["cgroup"] != "none":  # otherwise it is measured now and then, and how far it comes is chance
        assert abs(reached[0] - reached[1]) <= 16, "MiB cold and forked: %s" % reached
    assert forked(forking, "print('on')\n", limits=limits)["stdout"] == "on\n"


def test_memory_that_is_full_of_files_is_the_programs_doing_though_its_parent_is_the_largest_process(forking):
    code = "import os\nos.execvp('dd', ['dd', 'if=/dev/zero', 'of=/tmp/full', 'bs=1M', 'status=none'])\n"
    limits = {"memory": "64m"}
    plain = forking.run(code, risk_level="low", env=COLD, limits=limits, key=forking.override())
    result = forked(forking, code, limits=limits, agent_id="files")
    assert (result["reason"], result["error"]) == (plain["reason"], None), (result, plain)
    told = lambda r: [v["type"] for v in r["violations"]]
    assert told(result) == told(plain), (result, plain)
    assert forked(forking, "print('on')\n", limits=limits, agent_id="files")["stdout"] == "on\n"


def test_after_a_parent_was_killed_runs_go_on(forking):
    others = parents(forking)
    forked(forking, "print('alive')\n", agent_id="killed")
    parent = parents(forking, others, least=1).pop()  # one: a kind that loses three is left alone for a minute
    old = {parent, *helpers.descendants(parent)}
    helpers.kill_quietly(parent)
    assert not helpers.poll(lambda: old & set(interpreters(forking)), PATIENCE), "something of it lives on"
    ask = lambda: forking.execute("print('alive')\n", risk_level="low", agent_id="killed", key=forking.override())
    answers = [ask() for _ in range(3)]
    # one may have been given to it before its death was known: whether its program ran cannot be told then
    told = [a.json()["stdout"] if a.status_code == 200 else a.json()["error"]["code"] for a in answers]
    assert set(told) <= {"alive\n", "sandbox_error"} and told.count("sandbox_error") <= 1, told
    assert forked(forking, "print('alive')\n", agent_id="killed")["stdout"] == "alive\n"


def test_a_parent_that_is_killed_takes_its_run_along(forking):
    """Nothing of it is left: the service's end looks for processes and groups."""
    before = parents(forking)  # other agents'
    forked(forking, "print(1)\n", agent_id="along")
    until = time.monotonic() + PATIENCE
    while True:
        id = forking.submit("import time\nprint('on', flush=True)\ntime.sleep(600)\n", risk_level="low",
                            agent_id="along", key=forking.override())
        assert not helpers.poll(lambda: forking.execution(id)["state"] != "running", PATIENCE)
        for pid in set(templates(forking)) - before:
            helpers.kill_quietly(pid)
        if not helpers.poll(lambda: forking.execution(id)["state"] == "running", 2):
            break
        with contextlib.suppress(AssertionError):  # it came cold
            forking.request("DELETE", "/executions/" + id)
        assert time.monotonic() < until, "no run was forked"
    result = forking.finished(id)["result"]
    assert result["reason"] in ("killed", "sandbox_error"), result


def test_a_program_that_was_ended_retires_its_parent(forking):
    forked(forking, "print(1)\n", agent_id="ended")
    assert not helpers.poll(lambda: not waiting(forking), PATIENCE)
    result = forked(forking, "print(hash('abc'), flush=True)\nwhile True:\n    print('y' * 65536)\n", agent_id="ended")
    assert result["reason"] == "output_limit"
    seed = result["stdout"].splitlines()[0]
    later = [forked(forking, "print(hash('abc'))\n", agent_id="ended")["stdout"].strip() for _ in range(4)]
    assert seed not in later, "its parent was forked again"


# --- modules that the parent imports (languages.python.preload) ---------------------------------------------------

HAS_NUMPY = importlib.util.find_spec("numpy") is not None
SHOWS = """
import sys
print([name for name in ('decimal', 'socket', 'subprocess') if name in sys.modules], 'sandbox_before' in vars(sys))
for name in 'decimal', 'socket', 'os':
    try:
        print(name, __import__(name).__name__)
    except ImportError as error:
        print(error)
"""
DRAWS = "import random, tempfile\nprint(random.random(), tempfile.mktemp())\n"
DRAWS_NUMPY = DRAWS + "import numpy, ssl\nprint(numpy.random.rand(), numpy.random.default_rng().random())\n" \
                      "print(ssl.RAND_bytes(8).hex())\n"


def preloading(*modules):
    return {**CONFIG, "warm": {"enabled": True}, "languages": {"python": {"preload": list(modules)}}}


@pytest.fixture(scope="module")
def preloaded(forking):
    names = ["decimal", "socket", "subprocess", "tempfile", "random", "ssl", "no.such_module"]
    with service_module.Service(preloading(*names, *["numpy"] * HAS_NUMPY)) as s:
        yield s


def test_a_fork_has_what_its_parent_has_imported(preloaded):
    lines = forked(preloaded, SHOWS)["stdout"].splitlines()
    assert lines == ["['decimal', 'socket', 'subprocess'] False", "decimal decimal", "socket socket", "os os"]


def test_what_a_level_blocks_is_gone_from_its_forks(preloaded):
    plain = preloaded.run(SHOWS, risk_level="medium", key=preloaded.override())
    got = forked(preloaded, SHOWS, "medium")
    assert got["stdout"].splitlines()[0] == "['decimal'] False"
    assert got["stdout"].splitlines()[1:] == plain["stdout"].splitlines()[1:]
    assert "blocked" in got["stdout"]


def test_forks_of_a_parent_that_has_drawn_numbers_draw_their_own(preloaded):
    code = DRAWS_NUMPY if HAS_NUMPY else DRAWS
    seen = [forked(preloaded, code)["stdout"].split() for _ in range(6)]
    for column in zip(*seen):
        assert len(set(column)) == len(column), "came twice: %s" % (column,)


def test_a_module_that_starts_a_thread_is_told_once_and_its_runs_are_parked(tmp_path_factory, forking):
    place = pathlib.Path("/usr/lib/python3/dist-packages")
    if not helpers.is_root():
        helpers.skip("only root may mount a module into %s" % place)
    modules = tmp_path_factory.mktemp("modules")
    (modules / "starts_one.py").write_text("import threading, time\n"
                                           "threading.Thread(target=time.sleep, args=(600,), daemon=True).start()\n")
    for each in (modules, *modules.parents[:-2]):
        each.chmod(0o755)
    s = service_module.Service(preloading("starts_one"), start=False)
    script = 'mount --bind %s %s && exec "$@"' % (modules, place)
    s.words = lambda words=s.words: ["unshare", "--mount", "sh", "-c", script, "sh", *words()]
    with s.start():
        result = until_parked(s, "import threading\nprint(threading.active_count())\n", "low")
        assert (result["isolation"]["prepared"], result["stdout"]) == ("parked", "1\n")
        told = "starts_one starts a thread when it is imported"
        s.wait_log(told)
        assert until_parked(s, "print(2)\n", "low")["isolation"]["prepared"] == "parked"
        assert s.logs.count(told) == 1
        text = s.outside("GET", "/metrics", key=s.key).text
        values = dict(line.split() for line in text.splitlines() if line.startswith("sandbox_agent_warm_"))
        claims = [float(values['sandbox_agent_warm_claims_total{result="%s"}' % name]) for name in ("found", "missed")]
        assert float(values["sandbox_agent_warm_lost_total"]) >= 1 and min(claims) >= 1, values


# tests/escape's attacks that are python, from within a fork; all of them with SANDBOX_TEST_WARM=1
ATTACKS = helpers.ROOT / "tests/escape/attacks"
SELECTED = None if os.environ.get("SANDBOX_TEST_WARM") == "1" else 5


def attacks():
    names = sorted(p.name for p in ATTACKS.glob("*.py") if p.name != "attack.py")
    return names[::max(1, len(names) // SELECTED)] if SELECTED else names


@pytest.mark.parametrize("name", attacks())
def test_an_attack_fails_in_a_fork(forking, name):
    code = (ATTACKS / name).read_text().replace("# include: attack.py\n", (ATTACKS / "attack.py").read_text())
    forked(forking, "print(1)\n")  # one that waits is of this kind
    more = {"limits": {"timeout": 2}} if "reason: timeout" in code else {}
    result = forked(forking, code, **more)
    assert "ESCAPED" not in result["stdout"], result
    if result["reason"] == "completed":
        assert "CONTAINED" in result["stdout"], result
