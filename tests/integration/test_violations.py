"""What the guard of a language refuses stands in the result by name; and whatever a program writes in the guard's place
harms nobody."""
import pytest
from helpers import at_the_deadline, need_language

FREE = {"languages.python.blocked_modules": [], "languages.python.allowed_modules": "all",
        "languages.python.restricted": False,
        "languages.python.interpreter_only": True, "languages.node.blocked_modules": [], "execution.shell_access": True}


def told(r):
    return [(v["type"], v["detail"]) for v in r["violations"]]


REFUSED = {
    ("python", "medium"): ("for m in ('os', 'json', 'socket', 'os'):\n    try: __import__(m)\n"
                           "    except ImportError: pass\n", [("blocked_module", "os"), ("blocked_module", "socket")]),
    ("python", "high"): ("for f in (lambda: eval('1'), lambda: exec('1')):\n    try: f()\n    except NameError: pass\n"
                         "try: import json\nexcept ImportError: pass\n",
                         [("blocked_builtin", "eval"), ("blocked_builtin", "exec"), ("blocked_module", "json")]),
    ("node", "medium"): ("for (const m of ['fs', 'path', 'child_process', 'node:fs']) try { require(m); } catch {}\n",
                         [("blocked_module", "fs"), ("blocked_module", "child_process")]),
    ("node", "high"): ("for (const m of ['cluster', 'worker_threads']) try { require(m); } catch {}\n",
                       [("blocked_module", "cluster"), ("blocked_module", "worker_threads")]),
    ("bash", "medium"): ("curl x; nc y; curl z; nosuch; true\n",
                         [("blocked_command", "curl"), ("blocked_command", "nc")]),
    ("bash", "high"): ("ssh x; chmod y; true\n", [("blocked_command", "ssh"), ("blocked_command", "chmod")]),
}


@pytest.mark.parametrize("language, level", REFUSED, ids="-".join)
def test_what_is_refused_stands_in_the_result_once_and_in_order(box, language, level):
    need_language(language)
    code, expected = REFUSED[language, level]
    r = box.json(language, code, level=level)
    assert r["reason"] == "completed" and told(r) == expected, r
    assert all(v["severity"] == "medium" and 0 <= v["at_ms"] <= r["duration_ms"] for v in r["violations"]), r


@pytest.mark.parametrize("language, level", REFUSED, ids="-".join)
def test_it_is_said_in_words_where_the_profile_wants_it(box, language, level):
    need_language(language)
    code, expected = REFUSED[language, level]
    lines = ["sandbox-agent: restriction: %s %s" % v for v in expected]
    loud, quiet = (box.run(language, code, profile=box.derive(level, logging__alert_on_violations=on))
                   for on in (True, False))
    assert loud.words.splitlines()[-len(lines):] == lines, loud
    assert "restriction" not in quiet.words, quiet


def test_the_time_is_when_it_happened(box):
    r = box.json("python", "import time\ntime.sleep(0.5)\ntry: import os\nexcept ImportError: pass\ntime.sleep(1.5)\n")
    assert 500 <= r["violations"][0]["at_ms"] <= r["duration_ms"] - 300, r  # a busy machine reads it later


def test_a_program_that_is_killed_has_told_before(box):
    r = at_the_deadline(lambda s: box.json("python",
                                           "try: import os\nexcept ImportError: pass\nprint('ready', flush=True)\n"
                                           "while True: pass\n", options=["--timeout", s]))
    assert r["reason"] == "timeout" and told(r) == [("blocked_module", "os")], r


STARTS = {
    "python": [("import os\nos.system('echo a  b')\n", "echo"),
               ("import subprocess\nsubprocess.run(['/usr/bin/id', '-u'])\n", "/usr/bin/id"),
               ("import os\nos.execv('/bin/echo', ['echo'])\n", "/bin/echo"),
               ("import os\nos.posix_spawn('/bin/echo', ['echo'], {})\n", "/bin/echo"),
               ("import os\nos.system('\"x')\n", "_x")],
    "node": [("require('child_process').spawnSync('/usr/bin/id')\n", "child_process"),
             ("require('cluster')\n", "cluster")],
}


@pytest.mark.parametrize("language, code, name", [(l, c, n) for l, cases in STARTS.items() for c, n in cases])
def test_interpreter_only_tells_what_was_to_be_started(box, language, code, name):
    need_language(language)
    r = box.json(language, code, profile=box.derive("medium", {**FREE, "languages.node.interpreter_only": True}))
    assert r["reason"] == "error" and told(r) == [("blocked_command" if language == "python" else "blocked_module",
                                                   name)], r


# ---- the descriptor ----

SELF = """
import fcntl, os, stat, sys
st = os.fstat(15)
def t(f):
    try: return f()
    except OSError as e: return type(e).__name__
print(stat.S_ISFIFO(st.st_mode), fcntl.fcntl(15, fcntl.F_GETFL) & os.O_ACCMODE == os.O_WRONLY, bool(fcntl.fcntl(15, fcntl.F_GETFL) & os.O_NONBLOCK),
      bool(fcntl.fcntl(15, fcntl.F_GETFD) & fcntl.FD_CLOEXEC), t(lambda: os.open('..', os.O_PATH, dir_fd=15)), t(lambda: os.read(15, 1)), t(lambda: os.lseek(15, 0, 0)))
print(sorted(int(n) for n in os.listdir('/proc/self/fd') if t(lambda: os.fstat(int(n))) != 'OSError'))
"""


def test_it_is_a_pipes_end_to_write_into_and_nothing_else_can_be_reached_by_it(box):
    profile = box.derive("medium",
                         {**FREE, "languages.python.interpreter_only": False,
                          "languages.python.blocked_modules": ["socket"]})
    done = box.run("python", SELF, profile=profile)
    assert done.text == "True True True True NotADirectoryError OSError OSError\n[0, 1, 2, 15]\n", done


def test_no_such_descriptor_where_no_guard_is(box):
    code = ("import os\nprint([n for n in range(3, 300) if os.path.exists('/proc/self/fd/%d' % n) and not "
            "os.readlink('/proc/self/fd/%d' % n).startswith('/proc')])\n")
    assert box.run("python", code, level="low").text == "[]\n"
    assert box.command("/bin/ls", "/proc/self/fd", level="medium").text.split() == ["0", "1", "2", "3"], "3: ls's own"


@pytest.mark.parametrize("language, code", [
    ("python", "import sys\nrun = sys.modules['os'].posix_spawn\npid = run('/bin/ls', ['ls', '/proc/self/fd'], {})\n"
               "sys.modules['os'].waitpid(pid, 0)\n"),
    ("node", "const {stdout} = require('child_process').spawnSync('/bin/ls', ['/proc/self/fd'], {encoding: 'utf8'});\n"
             "console.log(stdout);\n")])
def test_programs_started_by_python_and_node_do_not_get_it(box, language, code):
    need_language(language)
    rules = {"languages.python.blocked_modules": ["requests"], "languages.node.blocked_modules": ["http"]}
    assert box.run(language, code, profile=box.derive("medium", rules)).text.split() == ["0", "1", "2", "3"]


def test_with_few_descriptors_it_goes_without_and_says_so(box):
    profile = box.derive("medium", execution__max_open_files=12)
    r = box.json("python", "try: import os\nexcept ImportError as e: print(e)\n", profile=profile)
    assert r["stdout"].startswith("module 'os' is blocked") and told(r) == [], r
    assert [m for m in r["isolation"]["missing"] if m.startswith("reports: ")], r


# ---- a payload that writes there itself ----

def hostile(box, code, level="medium"):
    r = box.json("bash", code, level=level)
    assert r["stderr"] == "" and r["reason"] == "completed", r
    return r


def test_only_the_guards_form_counts(box):
    lines = ['{"type":"blocked_module","detail":"ok-1"}', '{"type":"memory_limit","detail":"x"}',
             '{"type": "blocked_module","detail":"x"}', '{"type":"blocked_module","detail":""}',
             '{"type":"blocked_module","detail":"\\u001b[31m"}',
             '{"type":"blocked_module","detail":"\x1b]0;title\x07"}', '{"detail":"x","type":"blocked_module"}', '[]',
             '', 'sandbox-agent: violation: x',
             '{"type":"blocked_module","detail":"x","severity":"critical"}',
             '{"type":"blocked_module","detail":"%s"}' % ("x" * 201), '{"type":"blocked_module","detail":"ok-1"}',
             '{"type":"blocked_command","detail":"%s"}' % ("y" * 200)]
    r = hostile(box, "cat >&15 <<'EOF'\n" + "\n".join(lines) + "\nEOF\n")
    assert told(r) == [("blocked_module", "ok-1"), ("blocked_command", "y" * 200)], r


def test_no_more_than_64_lines_count(box):
    r = hostile(box, "for i in {1..500}; do echo '{\"type\":\"blocked_module\",\"detail\":\"m'$i'\"}' >&15; done "
                     "2>/dev/null; true\n")
    assert told(r) == [("blocked_module", "m%d" % i) for i in range(1, 65)], r


def test_floods_fill_the_pipe_and_end_nobody(box):
    r = hostile(box, "head -c 50000000 /dev/zero >&15 2>/dev/null; yes >&15 2>/dev/null; echo done; curl 2>/dev/null; "
                     "true\n")
    assert r["stdout"] == "done\n" and told(r) == [], r


def test_a_child_that_keeps_it_open_does_not_hold_the_run(box):
    r = hostile(box, "curl 2>/dev/null; (setsid sleep 100 >/dev/null 2>&1 </dev/null &) ; echo done\n")
    assert r["stdout"] == "done\n" and told(r) == [("blocked_command", "curl")] and r["duration_ms"] < 25000, r


def test_a_script_that_closes_it_or_takes_its_number_loses_only_its_own_words(box):
    r = box.json("bash", "exec 15>&-\ncurl; echo $?\n")
    assert (r["stdout"], told(r)) == ("127\n", []), r
    r = box.json("python", "import io\nf = io.FileIO(15, 'w'); f.close()\ntry: import os\n"
                           "except ImportError: print('refused')\n")
    assert (r["stdout"], told(r)) == ("refused\n", []), r


def test_runs_side_by_side_do_not_hear_each_other(box):
    def start(n):
        code = "for i in {1..20}; do cmd_%d; sleep 0.02; done 2>/dev/null; true\n" % n
        profile = box.derive("medium", languages__bash__blocked_commands=["cmd_%d" % n])
        return box.start("--json", *box.words("bash", code, profile=profile))
    live = [start(n) for n in range(4)]
    for n, run in enumerate(live):
        assert told(run.finish().result) == [("blocked_command", "cmd_%d" % n)]
