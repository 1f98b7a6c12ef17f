"""test_warm.py - interpreters that wait for their work (warm.enabled): the same result as cold, one use each, nothing
of one run in another.

Which of a service's runs is given one depends on time. So these tests repeat a run until it was; what came cold before
is right, too.
"""
import contextlib
import hashlib
import os
import random
import re
import secrets
import signal
import threading
import time

import helpers
import load
import pytest
import requests
import service as service_module

LANGUAGES = ("python", "node", "bash")
CONFIG = {"rate_limiting": {"enabled": False}}
PATIENCE = 90

SHOWS = """
import __main__, sys, os
print(sorted(vars(__main__)), __name__, __file__, __doc__, __spec__, __builtins__.__name__)
print(sys.argv, sys.orig_argv[1:], sys.flags, sys.path)
print(sys.stdin.isatty(), sys.stdout.line_buffering, sys.stdout.encoding)
print(sorted(os.environ.items()), os.getcwd(), oct(os.stat(__file__).st_mode), os.getpid() < 9)
print([f for f in os.listdir("/code") if f != ".guard.py"])
print(open(__file__).read().count("SHOWS-ITSELF"))
print(sorted(m for m in sys.modules if not m.startswith("_")))
"""
ODD = "# coding: utf-8\nimport sys\nprint('größe', file=sys.stderr)\nsys.stdout.buffer.write(bytes(range(256)))\n"
NODE_SHOWS = """
const show = (...words) => console.log(...words.map((word) => JSON.stringify(word)));
show(process.argv, process.execArgv, process._preload_modules, process.argv0, process.title, process.cwd());
show(Object.entries(process.env).sort(), Object.keys(require.cache), require.main === module, module.paths, module.id);
show(require('module').builtinModules.filter((name) => name.includes('internal/')), process.stdin.isTTY);
show(require('fs').readdirSync('/code').filter((name) => name !== '.guard.js'), Object.keys(globalThis));
show(new Error('x').stack);
try { require('internal/util'); } catch (error) { show(error.code); }
import('path').then((path) => show(path.sep));
"""
NODE_GUARDED = """
console.log(process.argv, process.execArgv, Object.keys(process.env).sort());
console.log(Object.keys(require.cache), require.main === module);
for (const name of process.argv.slice(3)) {
  try { console.log(name, typeof require(name)); } catch (error) { console.log(error.message, error.code); }
}
"""
NODE_CHILDREN = """
const {Worker} = require('worker_threads'), {fork} = require('child_process');
const text = 'console.log(process.argv.slice(2), process.execArgv.filter((word) => !word.startsWith("--max")))';
require('fs').writeFileSync('/tmp/child.js', text);
new Worker('/tmp/child.js', {argv: ['w', 'SANDBOX_PARKED']}).on('exit', (code) => {
  console.log('worker', code);
  fork('/tmp/child.js', ['f']).on('exit', (code) => console.log('fork', code));
});
"""
BASH_SHOWS = """
echo "$0 $_ $# $LINENO ${BASH_SOURCE[*]} $SHLVL $- ${BASH_ENV-unset} ${SANDBOX_PARKED-unset} $SHELLOPTS $PWD $?"
printf '<%s>' "$@" "$ONE" "$TWO" "$sandbox_work" "$((SECONDS < 9))" "$$"; echo
compgen -v; trap -p; alias; shopt; declare -p ONE TWO
f() { local x; echo "${FUNCNAME[*]} $LINENO"; }; f
[[ -e /code/main.sh ]]; echo $?; for fd in 13 14; do { : >&$fd; } 2>/dev/null; echo "$fd $?"; done
"""
PROGRAMS = {
    "state": dict(code=SHOWS, args=["a b", "", "ü", "-x"], env={"ONE": "1", "TWO": "a=b\nc"}, levels=("low",)),
    "traceback": dict(code="def f(n):\n    return 1 // n\nf(0)\n"),
    "chained": dict(code="try:\n    [][1]\nexcept IndexError as e:\n    raise ValueError('x') from e\n"),
    "syntax": dict(code="print(1\n"),
    "exit": dict(code="raise SystemExit(7)\n"),
    "exit words": dict(code="raise SystemExit('gone')\n"),
    "bytes": dict(code=ODD, levels=("low", "medium")),
    "input": dict(code="print(input() + '!')\nprint(input())\n", stdin="one\ntwo\n"),
    "no input": dict(code="print(input())\n"),
    "assertion": dict(code="assert 1 == 2, 'no'\n"),
    "refused module": dict(code="import importlib, sys\nprint(importlib.import_module(sys.argv[1]))\n",
                           args=["socket"], levels=("medium",)),
    "warning": dict(code="import warnings\nwarnings.warn('old', DeprecationWarning)\nx = 1 is 1\n",
                    levels=("low", "medium")),
    "files": dict(code="open('left.txt', 'w').write('kept')\nprint(open('left.txt').read())\n",
                  levels=("low", "medium")),
    "child": dict(code="import subprocess\n"
                       "print(subprocess.run(['cat', '/proc/self/comm'], capture_output=True).stdout)\n",
                  levels=("low",)),
    "threads": dict(code="import threading\nt = threading.Thread(target=lambda: print('in'))\nt.start()\nt.join()\n",
                    levels=("low", "medium")),
    "node state": dict(language="node", code=NODE_SHOWS, args=["a b", "", "ü", "-x"], env={"ONE": "1", "TWO": "a=b\nc"},
                       levels=("low",)),
    "node guarded": dict(language="node", code=NODE_GUARDED, levels=("medium", "high"), env={"ONE": "1"},
                         args=["a b", "fs", "net", "internal/util", "path"]),
    "node throws": dict(language="node", code="function f() {\n  throw new TypeError('x');\n}\nf();\n",
                        levels=("medium", "high")),
    "node syntax": dict(language="node", code="let x = ;\n", levels=("low",)),
    "node exit": dict(language="node", code="process.exitCode = 5;\n", levels=("high",)),
    "node input": dict(language="node", stdin="one\ntwo\n", levels=("medium",),
                       code="process.stdin.on('data', (x) => console.log(`${x}!`)).on('end', () => console.log(0));\n"),
    "node pipes": dict(language="node", levels=("low",), code="const fs = require('fs');\nfor (const fd of [1, 2])"
                       " fs.writeSync(1, fs.readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8').split('\\n')[1]);\n"),
    "node children": dict(language="node", code=NODE_CHILDREN, levels=("low",)),
    "node refused": dict(language="node", code="require(process.argv[2]);\n", args=["net"], levels=("medium",)),
    "bash state": dict(language="bash", code=BASH_SHOWS, args=["a b", "", "ü", "-x", "it's", "$(id)"],
                       env={"ONE": "1", "TWO": "a='b'\nc", "sandbox_work": "own"}),
    "bash errors": dict(language="bash", code="nosuch1\nf() {\n  nosuch2; echo $?\n}\nf\n"
                        "echo $((1/0))\necho after\nset -u\necho $none\n", levels=("low", "high")),
    "bash syntax": dict(language="bash", code="echo one\nif then\n", levels=("low", "high")),
    "bash exit": dict(language="bash", code="trap 'echo bye' EXIT\nexit 7\n", levels=("medium",)),
    "bash input": dict(language="bash", code="read -r x; echo \"<$x>\"; while read -r x; do echo \"$x!\"; done\n",
                       stdin="one\ntwo\nthree\n", levels=("low", "high")),
    "bash refused": dict(language="bash", code='"$1" http://x; echo $?\n', args=["curl"], levels=("medium", "high")),
    "bash restricted": dict(language="bash", code="cd /\necho x > y\n", levels=("high",)),
    "sum": dict(code="import math\nprint(math.factorial(20), sum(x * x for x in range(100)))\n"),
}


@pytest.fixture(scope="module")
def warm():
    for language in LANGUAGES:
        helpers.need_language(language)
    with service_module.Service({**CONFIG, "warm": {"enabled": True}}) as s:
        yield s


@pytest.fixture(scope="module")
def cold():
    with service_module.Service(CONFIG) as s:
        yield s


def until_parked(service, code, level, **more):
    """-> the result of the first run of this program that was given an interpreter which waited"""
    until = time.monotonic() + PATIENCE
    while True:
        result = service.run(code, risk_level=level, key=service.override(), **more)
        if result["isolation"]["prepared"] in ("parked", "forked"):
            return result
        assert time.monotonic() < until, "no run of this kind was given one that waited: %s" % result["isolation"]
        time.sleep(0.05)


def interpreters(service, language="python"):
    """-> pid: status of all processes that were started to wait, of those that fork them, and of their inits"""
    mark = {"python": "--parked", "node": "/code/main.js", "bash": "/code/main.sh"}[language]
    every = [p for p in helpers.descendants(service.process.pid) if mark in helpers.read("/proc/%d/cmdline" % p)]
    texts = {p: helpers.read("/proc/%d/status" % p) for p in every}
    return {p: dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)
            for p, text in texts.items() if "Seccomp:" in text}


def waiting(service, language="python"):
    """-> the pids of interpreters that wait, and of their inits where these are copies of one; no other program of the
    language may run"""
    return [p for p, status in interpreters(service, language).items() if status["Seccomp"] == "2"]


def templates(service):
    """-> the pids of those that are forked. Their children, the inits, have their words, and at first their rights."""
    found = interpreters(service)
    return [p for p, status in found.items()
            if int(status["CapEff"], 16) and int(status["PPid"]) not in found]


def same(result):
    """What must not depend on how a run was prepared."""
    isolation = {k: v for k, v in result["isolation"].items() if k not in ("prepared", "uid")}
    text = {k: re.sub(r"exec-\w+", "exec-", result[k]).splitlines() for k in ("stdout", "stderr")}
    return {**text, "isolation": isolation, "violations": [(v["type"], v["detail"]) for v in result["violations"]],
            **{k: result[k] for k in ("reason", "exit_code", "signal", "risk_level", "kill_switch")}}


CASES = [(name, level) for name, p in PROGRAMS.items() for level in p.get("levels", ("low", "medium", "high"))]


@pytest.mark.parametrize("name,level", CASES, ids=["%s-%s" % case for case in CASES])
def test_a_program_cannot_tell_that_its_interpreter_waited(warm, cold, name, level):
    program = {k: v for k, v in PROGRAMS[name].items() if k != "levels" and (k != "env" or level != "high")}
    expected = cold.run(risk_level=level, key=cold.override(), **program)
    assert expected["isolation"]["prepared"] in ("cold", "prepared")
    got, want = same(until_parked(warm, level=level, **program)), same(expected)
    for key, value in want.items():
        assert got[key] == value, key
    assert name != "refused module" or want["violations"], "it was to be refused by the guard"


# A node that has come to its end asks to be ended, and is answered for while the kernel takes it down.
NODE_ENDS = (
    "console.log('x'.repeat(300000)); console.error('y'.repeat(70000))",
    "process.on('exit', (code) => console.log(code)); process.once('beforeExit', () => setTimeout(console.log))",
    "process.on('exit', () => Promise.resolve().then(() => console.log('microtask')))",
    "setTimeout(() => console.log('later'), 20); process._exiting = true",
    "process.emit = function emit(...words) { console.log(...words); }",
    "Object.freeze(Error); console.log('emit' in Object.keys(process), process.emit, Object.hasOwn(process, 'emit'))",
    "process.exitCode = 9; process.on('exit', () => { process.exitCode = 0; })",
    "process.once('uncaughtException', (e) => console.log(e.stack)); throw new Error('caught')",
    "process.on('x', () => { console.log(new Error('x').stack); }); process.emit('x')",
    "Promise.reject(new Error('refused'))",
    "console.log('x'.repeat(30000)); process.exit(0)",
)
# The same call by the program itself. 1396768768: EXIT_LAST of src/base/watch_bits.h
NODE_CALLS = "try { process._kill(1396768768, 0); } catch {}\nconsole.log('goes on'); process.exit(4);\n"
NODE_SPINS = "const {Worker} = require('worker_threads');\n" \
             "new Worker('for (;;);', {eval: true});\n" \
             "setTimeout(() => {\n%s}, 500);\n" % NODE_CALLS


def test_the_end_of_a_node_is_nodes(warm, cold):
    for code in NODE_ENDS:
        want = cold.run(code + "\n", "node", risk_level="medium", key=cold.override())
        assert same(until_parked(warm, code + "\n", "medium", language="node")) == same(want), code


def test_a_node_that_asks_to_be_ended_has_ended_well_or_goes_on(warm, cold):
    def told(service, code, level):
        result = until_parked(service, code, level, language="node")
        return result["reason"], result["exit_code"], result["stdout"], result["violations"]
    looks = "Object.defineProperty(Error, 'stackTraceLimit', {get() { console.log('looked'); }, set() {}})\n"
    assert told(warm, looks, "medium") == ("completed", 0, "looked\n", []), "its end is not asked about"
    # without a group its processes are not counted
    is_counted = until_parked(warm, "console.log(1)\n", "medium", language="node")["isolation"]["cgroup"] != "none"
    ends = ("completed", 0, "1\n", []) if is_counted else ("error", 4, "1\ngoes on\n", [])
    assert told(warm, "console.log(1)\n" + NODE_CALLS, "medium") == ends
    # what it leaves is looked at, or a thread of its own could still do something
    assert told(warm, NODE_CALLS, "low") == ("error", 4, "goes on\n", [])
    assert told(warm, NODE_SPINS, "medium") == ("error", 4, "goes on\n", [])
    result = cold.run(NODE_CALLS, "node", risk_level="medium", key=cold.override())
    assert (result["exit_code"], result["stdout"], result["violations"]) == (4, "goes on\n", [])


def test_metrics_say_how_many_found_one_and_how_many_wait(warm):
    def claims(result):
        text = warm.outside("GET", "/metrics").text
        return int(re.search(r'^sandbox_agent_warm_claims_total{result="%s"} (\d+)$' % result, text, re.M)[1])
    before, other = claims("found"), warm.new_key("run", "another owner of what waits", allow_risk_override=True)
    until_parked(warm, "print(1)", "low")
    assert claims("found") > before
    before = claims("missed")
    assert warm.run("print(1)", risk_level="low", key=other)["isolation"]["prepared"] in ("cold", "prepared")
    assert claims("missed") > before
    assert not helpers.poll(lambda: "\nsandbox_agent_warm_waiting 0\n" in warm.outside("GET", "/metrics").text, 60)


def test_each_serves_one_run(warm):
    code = "import os\nprint(os.path.exists('/tmp/x'), os.getppid())\nopen('/tmp/x', 'w').write('x')\n"
    seen = {until_parked(warm, code, "low")["stdout"] for _ in range(4)}
    assert seen == {"False 1\n"}, "one found what another had left: %s" % seen


def test_at_high_each_has_a_layout_and_a_hash_seed_of_its_own(warm):
    seen = [until_parked(warm, "print(hash('abc'), id(object()))\n", "high") for _ in range(4)]
    assert {r["isolation"]["prepared"] for r in seen} == {"parked"}
    assert len({r["stdout"].split()[0] for r in seen}) == len({r["stdout"].split()[1] for r in seen}) == 4


def found_in_memory(pid, needles):
    """-> those of the needles that the process has in memory which it can write, or None where it has gone"""
    found = set()
    try:
        maps = helpers.read("/proc/%d/maps" % pid).splitlines()
        with open("/proc/%d/mem" % pid, "rb", 0) as memory:
            for line in maps:
                start, end = (int(x, 16) for x in line.split()[0].split("-"))
                if not line.split()[1].startswith("rw"):
                    continue
                memory.seek(start)
                try:
                    part = memory.read(end - start)
                except (OSError, ValueError, OverflowError):
                    continue
                found.update(n for n in needles if n in part)
        return found if maps else None
    except (FileNotFoundError, ProcessLookupError):  # before it was opened, and between its being found and opened
        return None
    except PermissionError:
        helpers.skip("the memory of other processes cannot be read here")


# Secrets by code, input, environment, argument; and made by the program: in its heap, and in a file.
TELL = {
    "python": "import hashlib, os, sys\nown = '%s'\n"
              "heap = [hashlib.md5((own + str(i)).encode()).hexdigest() for i in (1, 2)]\n"
              "open('/tmp/file', 'w').write(heap[1])\nprint(sys.stdin.read(), os.environ['S'], sys.argv[1], own)\n",
    "node": "const own = '%s', fs = require('fs');\n"
            "const md5 = (x) => require('crypto').createHash('md5').update(x).digest('hex');\n"
            "const heap = [md5(own + '1'), md5(own + '2')]; fs.writeFileSync('/tmp/file', heap[1]);\n"
            "console.log(`${fs.readFileSync(0)} ${process.env.S} ${process.argv[2]} ${own}`);\n",
    "bash": "own=%s; read -r x; heap=$(echo -n \"${own}1\" | md5sum); echo -n \"${own}2\" | md5sum > /tmp/file\n"
            "echo \"$x $S $1 $own\"\n",
}
PROOF = os.environ.get("SANDBOX_TEST_PROOF") == "all"
ROUNDS, KILLS = (200, 200) if PROOF else (3, 3)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_of_a_run_is_in_one_that_waits(warm, language):
    if not helpers.is_root():
        helpers.skip("only root may read the memory of a sandbox's processes")
    total = 0
    for _ in range(ROUNDS):
        words = [secrets.token_hex(16) for _ in range(4)]
        result = until_parked(warm, TELL[language] % words[0], "low", language=language, stdin=words[1] + "\n",
                              env={"S": words[2]}, args=[words[3]])
        assert all(word in result["stdout"] for word in words)
        words += [hashlib.md5((words[0] + i).encode()).hexdigest() for i in "12"]
        assert not helpers.poll(lambda: not waiting(warm, language), PATIENCE)
        looked = 0
        parents = templates(warm) if language == "python" else []
        for pid in waiting(warm, language) + parents:
            found = found_in_memory(pid, [word.encode() for word in words])
            looked += found is not None
            assert not found, "the interpreter %d, which waits, has words of a run that is over: %s" % (pid, found)
        assert looked, "no interpreter that waits was looked into"
        total += looked
    print("%s: %d runs, %d looks into what waits and its parents, 0 words found" % (language, ROUNDS, total))


@pytest.mark.parametrize("language,env", [("python", {"PYTHONHASHSEED": "1"}), ("node", {"NODE_NO_WARNINGS": "1"}),
                                          ("bash", {"BASH_XTRACEFD": "1"})])
def test_a_variable_that_is_read_at_the_start_starts_it_cold(warm, language, env):
    code = "%s 1\n" % {"python": "print(1) #", "node": "console.log(1) //", "bash": "echo"}[language]
    until_parked(warm, code, "low", language=language)
    for _ in range(2):
        result = warm.run(code, language=language, risk_level="low", env=env, key=warm.override())
        assert (result["stdout"], result["isolation"]["prepared"] in ("cold", "prepared")) == ("1\n", True), result


def test_an_agent_is_not_given_anothers(warm):
    code = "print('tenant')\n"
    until_parked(warm, code, "medium", agent_id="tenant-one")
    first = warm.run(code, risk_level="medium", agent_id="tenant-two", key=warm.override())
    assert first["isolation"]["prepared"] != "parked", "its first run was given what was opened for another agent"


def test_init_has_its_filter_while_its_interpreter_waits(warm):
    until_parked(warm, "console.log(1)\n", "medium", language="node")
    assert not helpers.poll(lambda: not waiting(warm, "node"), PATIENCE)

    def without():
        inits = [helpers.status(int(helpers.status(pid).get("PPid", 1))) for pid in waiting(warm, "node")]
        return [status for status in inits if status["Seccomp"] != "2"]
    assert not helpers.poll(without, PATIENCE)


def test_a_waiting_one_that_dies_costs_no_run(warm):
    code = "print('alive')\n"
    for _ in range(2):  # a kind that loses three in a row is left alone for a minute
        until_parked(warm, code, "medium", agent_id="dies")
        assert not helpers.poll(lambda: not waiting(warm), PATIENCE)
        killed = waiting(warm)
        for pid in killed:
            helpers.kill_quietly(pid)

        # one that is still dying takes its run along: its init has the work, and did not say that none of it was begun
        def states():
            return {helpers.status(pid).get("State", "Z")[0] for pid in killed}
        assert not helpers.poll(lambda: states() - set("XZ"), PATIENCE)
        result = warm.run(code, risk_level="medium", agent_id="dies", key=warm.override())
        assert (result["stdout"], result["reason"]) == ("alive\n", "completed"), result


LIMITS = {
    "memory": ("x = []\nwhile True:\n    x.append(b'x' * (1 << 20))\n", "oom", {}),
    "deadline": ("while True:\n    pass\n", "timeout", {"limits": {"timeout": 1}}),
    "output": ("while True:\n    print('y' * 65536)\n", "output_limit", {}),
}


@pytest.mark.parametrize("name", LIMITS)
def test_limits_hold_as_cold(warm, name):
    code, reason, more = LIMITS[name]
    result = until_parked(warm, code, "medium", **more)
    assert result["reason"] == reason, result


def test_its_time_is_told_as_cold(warm):
    result = until_parked(warm, "import time\ntime.sleep(0.5)\n", "medium")
    assert result["timing"]["run_ms"] >= 499 and result["duration_ms"] >= 499, result["timing"]


def test_a_level_that_blocks_a_call_blocks_it_here(warm):
    code = "import ctypes\nc = ctypes.CDLL(None, use_errno=True)\n" \
           "print(c.unshare(0x10000000), c.mount(b'x', b'/mnt', b'tmpfs', 0, None))\n"
    result = until_parked(warm, code, "medium")
    assert result["stdout"] == "-1 -1\n"
    assert result["isolation"]["seccomp"] and result["isolation"]["no_new_privs"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_its_posture_from_outside(warm, language):
    until_parked(warm, {"python": "print(1)\n", "node": "console.log(1)\n", "bash": "echo 1\n"}[language], "medium",
                 language=language)
    found = []

    def look():
        found[:] = [status for status in interpreters(warm, language).values() if status["Seccomp"] == "2"]
        return not found
    assert not helpers.poll(look, PATIENCE), "none waits"
    for fields in found:
        assert (int(fields["CapEff"], 16), int(fields["CapPrm"], 16), int(fields["CapBnd"], 16)) == (0, 0, 0)
        assert (int(fields["CapInh"], 16), int(fields["CapAmb"], 16), fields["NoNewPrivs"]) == (0, 0, "1")


def test_a_dead_launcher_takes_them_along_and_the_next_serves(make_service):
    helpers.need_language("python")
    s = make_service({**CONFIG, "warm": {"enabled": True}})
    until_parked(s, "print(1)\n", "medium")
    assert not helpers.poll(lambda: not waiting(s), PATIENCE)
    before = set(interpreters(s))
    for pid in s.pids("sandbox-launcher"):
        with contextlib.suppress(ProcessLookupError):  # an init ends with its launcher
            os.kill(pid, signal.SIGKILL)
    assert not helpers.poll(lambda: before & set(interpreters(s)), PATIENCE), "they outlived their launcher"
    until = time.monotonic() + PATIENCE
    while True:  # 503 while there is no launcher
        answer = s.execute("print(2)\n", risk_level="medium")
        if answer.status_code == 200 and answer.json()["reason"] == "completed":
            break
        assert time.monotonic() < until, answer.text
    until_parked(s, "print(3)\n", "medium")


def test_kills_in_the_middle_of_forks_leave_nothing(make_service):
    """Of parents, of inits and keepers, of launchers: at any moment of a run and of the next one's fork."""
    helpers.need_language("python")
    s, rng = make_service({**CONFIG, "warm": {"enabled": True}}), random.Random(16)
    killed, strange, launchers, ends = {}, [], set(), threading.Event()

    def ask(n):
        with s.connection() as own:
            while not ends.is_set():
                n += 10  # a kind that loses three is left alone for a minute
                for _ in range(4):
                    answer = s.execute("print(1)\n", risk_level="low", agent_id="mid-fork-%d" % n, key=s.override(),
                                       session=own)
                    if answer.status_code not in (200, 500, 503):
                        strange.append(answer.text)
    s.override()
    threads = [threading.Thread(target=ask, args=[n], daemon=True) for n in range(2)]
    for t in threads:
        t.start()
    for n in range(KILLS):
        what = ("parent", "launcher", "init")[n % 3]
        launchers.add(load.launcher_of(s))
        find = {"parent": lambda: templates(s), "launcher": lambda: [load.launcher_of(s)],
                "init": lambda: [p for p in s.pids("sandbox-launcher") if p not in launchers]}[what]
        time.sleep(rng.random() * 0.03)

        def misses(find=find, what=what):
            found = sorted(find())
            if found:
                helpers.kill_quietly(rng.choice(found))
                killed[what] = killed.get(what, 0) + 1
            return not found
        assert not helpers.poll(misses, PATIENCE, 0.005), what
    ends.set()
    for t in threads:
        t.join(PATIENCE)
    assert not any(t.is_alive() for t in threads), "a client hangs"
    assert not strange and len(killed) == 3, (strange, killed)
    load.check_nothing_left(s, launchers - {load.launcher_of(s)})

    def is_refused():  # by a sandbox that was made ahead, and whose helper was the last that was killed
        return s.execute("print(2)\n", risk_level="low", agent_id="afterwards", key=s.override()).status_code == 500
    assert not is_refused() or not is_refused()
    result = until_parked(s, "print(2)\n", "low", agent_id="afterwards")
    assert result["stdout"] == "2\n"
    print(killed)


def test_what_no_run_asks_for_is_given_up(make_service):
    helpers.need_language("python")
    s = make_service({**CONFIG, "warm": {"enabled": True, "idle": 1}})
    s.run("print(1)\n", risk_level="medium", key=s.override())
    assert not helpers.poll(lambda: not waiting(s), PATIENCE)
    assert not helpers.poll(lambda: interpreters(s), PATIENCE), "it waits although no run came"


def test_without_the_setting_none_waits(cold):
    for _ in range(3):
        isolation = cold.run("print(1)\n", risk_level="medium", key=cold.override())["isolation"]
        assert isolation["prepared"] in ("cold", "prepared")
    assert waiting(cold) == []


def test_a_client_that_leaves_ends_its_run(warm):
    code = "import time\nprint('on', flush=True)\ntime.sleep(600)\n"
    key, before = warm.override(), set()
    until_parked(warm, "import time\nprint('on', flush=True)\n", "low", agent_id="leaves")
    try:
        warm.execute(code, risk_level="low", agent_id="leaves", key=key, timeout=2, session=requests.Session())
    except requests.Timeout:
        pass
    live = lambda: [e for e in warm.request("GET", "/executions", params={"state": "running"}).json()["executions"]
                    if e["agent_id"] == "leaves" and e["execution_id"] not in before]
    assert not helpers.poll(live, PATIENCE), "its program runs on"
