"""How a guard gets beside the program: Python's as bytecode where that pays, as text where it does not; bash's by
BASH_ENV."""
import pytest
from helpers import copy_installation, need_language

FORM = "print('bytecode' if open('/code/.guard.py', 'rb').read(4)[2:] == b'\\r\\n' else 'text')\n"
UNCAUGHT = "def f():\n    raise ValueError('told')\nf()\n"
TRACEBACK = """Traceback (most recent call last):
  File "/code/main.py", line 3, in <module>
    f()
  File "/code/main.py", line 2, in f
    raise ValueError('told')
ValueError: told
"""


def told(kind, *names):
    """What the command line adds in the end."""
    return "".join("sandbox-agent: restriction: %s %s\n" % (kind, name) for name in names)


@pytest.fixture
def prefix(box):
    """An installation of our own, whose guard can be damaged."""
    return copy_installation(box.dir / "prefix")


def check_python(box, form, level="medium", **more):
    need_language("python")
    done = box.run("python", FORM, level=level, **more)
    assert (done.code, done.out, done.err) == (0, form + b"\n", b""), done
    done = box.run("python", "print('before')\nimport socket\n", level=level, **more)
    assert (done.code, done.out) == (1, b"before\n"), done
    assert done.words.endswith("ImportError: module 'socket' is blocked at this risk level (blocked_modules)\n"
                               + told("blocked_module", "socket")), done
    done = box.run("python", UNCAUGHT, level=level, **more)
    assert (done.code, done.out, done.words) == (1, b"", TRACEBACK), done


def test_python_at_medium_starts_from_bytecode(box):
    check_python(box, b"bytecode")


def test_python_at_high_starts_from_bytecode_and_evaluates_nothing(box):
    check_python(box, b"bytecode", level="high")
    done = box.run("python", "eval('1')\n", level="high")
    assert done.code == 1 and "eval is not available at this risk level" in done.words, done


def test_python_at_low_has_no_guard(box):
    need_language("python")
    done = box.run("python", "import os\nprint(os.listdir('/code'))\n" + UNCAUGHT, level="low")
    assert done.out == b"['main.py']\n" and done.words.endswith("ValueError: told\n"), done


def test_the_first_run_and_those_from_the_cache_get_the_same_guard(box):
    need_language("python")
    code = "import hashlib\nprint(hashlib.sha256(open('/code/.guard.py', 'rb').read()).hexdigest())\n"
    first, second = box.run("python", code), box.run("python", code)
    assert len(list((box.dir / "cache/sandbox-agent").glob("*.policy"))) == 1
    assert first.code == 0 and first.out == second.out, (first, second)


def test_without_a_cache_python_starts_from_text(box):
    check_python(box, b"text", env={"XDG_CACHE_HOME": "/dev/null"})


@pytest.mark.parametrize("old, new", [('["--compile"]', '["--other"]'),
                                      ("MAGIC_NUMBER + bytes(12)", "b'no bytecode' * 2"),
                                      ('sys.argv[2], "wb"', '"/dev/null", "wb"')],
                                      ids=["refuses", "nonsense", "nothing"])
def test_a_guard_that_does_not_compile_works_as_text(box, prefix, old, new):
    guard = prefix / "share/sandbox-agent/guards/python_guard.py"
    text = guard.read_text()
    assert old in text
    guard.write_text(text.replace(old, new))
    check_python(box, b"text", agent=prefix / "bin/sandbox-agent")


def test_a_changed_guard_is_compiled_again(box, prefix):
    need_language("python")
    agent, guard = prefix / "bin/sandbox-agent", prefix / "share/sandbox-agent/guards/python_guard.py"
    check_python(box, b"bytecode", agent=agent)
    guard.write_text(guard.read_text().replace("is blocked at this risk level", "is not for you"))
    done = box.run("python", "import socket\n", agent=agent)
    assert done.words.endswith("module 'socket' is not for you (blocked_modules)\n"
                               + told("blocked_module", "socket")), done


@pytest.mark.parametrize("level", ["medium", "high"])
def test_bash_says_that_an_absent_command_is_blocked(box, level):
    profile = box.derive(level, languages__bash__blocked_commands=["nosuchtool", "ls"])
    done = box.run("bash", "echo a\nnosuchtool x\necho $?\nnosuchtool\n", profile=profile)
    assert (done.code, done.out) == (127, b"a\n127\n"), done
    assert done.words == "".join("/code/main.sh: line %d: nosuchtool: blocked at this risk level (blocked_commands)\n"
                                 % n for n in (2, 4)) + told("blocked_command", "nosuchtool"), done
    done = box.run("bash", "othertool\n", profile=profile)
    assert (done.code, done.words) == (127, "/code/main.sh: line 1: othertool: command not found\n"), done


def test_bash_at_high_says_it_of_curl_and_of_what_the_host_has(box):
    profile = box.derive("high", languages__bash__blocked_commands=["curl", "ls"])
    for name in ("curl", "ls"):
        done = box.run("bash", name + " http://x\n", profile=profile)
        assert (done.code, done.words) == (127,
                                           "/code/main.sh: line 1: %s: blocked at this risk level (blocked_commands)\n"
                                           % name + told("blocked_command", name)), done
    done = box.run("bash", "curl http://x\n", level="high")
    assert done.code == 127 and "curl: blocked at this risk level" in done.words, done


def test_bash_at_medium_looks_through_the_mask_that_lies_on_a_command(box):
    profile = box.derive("medium", languages__bash__restricted_commands=["sort", "nosuchtool"])
    code = ("command -v sort uniq; sort x; echo $?; command sort; (exec sort) 2>&1; type sort; echo a | sort; "
            "PATH=/usr/bin sort\n")
    done = box.run("bash", code, profile=profile)
    assert done.text == "/usr/bin/uniq\n127\n/code/main.sh: line 1: exec: sort: not found\n", done
    assert (done.words.count("sort: blocked at this risk level (blocked_commands)\n") == 4
            and done.words.endswith(told("blocked_command", "sort"))), done


def test_bash_at_medium_finds_a_mask_where_a_path_is_named(box):
    done = box.run("bash", "/usr/bin/sort\n", profile=box.derive("medium", languages__bash__blocked_commands=["sort"]))
    assert done.code == 126 and done.words.endswith("sort: Permission denied\n"), done
    done = box.run("bash", "EXECIGNORE=\nsort\n",
                   profile=box.derive("medium", languages__bash__blocked_commands=["sort"]))
    assert done.code == 126 and done.words.endswith("sort: Permission denied\n"), ("the mask is what stops it, the "
                                                                                   "guard only says so: %r" % done)


@pytest.mark.parametrize("level, files", [("low", "main.sh"), ("medium", ".guard.sh main.sh")])
def test_bash_programs_do_not_see_how_their_guard_came(box, level, files):
    code = 'echo "${BASH_ENV-unset}"; bash -c \'echo "${BASH_ENV-unset}"\'; shopt -s dotglob; cd /code; echo *\n'
    done = box.run("bash", code, level=level)
    assert (done.code, done.words) == (0, ""), done
    assert done.text == "unset\nunset\n%s\n" % files, done


def test_the_guards_variable_wins_over_one_that_the_profile_permits(box):
    profile = box.derive("medium", environment__restricted_env=[], languages__bash__blocked_commands=["nosuchtool"])
    done = box.run("bash", "nosuchtool\n", profile=profile, options=["--env", "BASH_ENV=/nonexistent"])
    assert done.code == 127 and "nosuchtool: blocked at this risk level" in done.words, done
