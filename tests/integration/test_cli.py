"""The command line: exit codes, the result object, refusals, files that a run leaves, signals."""
import json
import os
import re
import resource
import shutil
import signal
import socket
import stat
import subprocess
import time

import pytest
from helpers import (AGENT, LANGUAGES, LEVELS, MIB, RESULT, ROOT, cgroup_dirs, copy_installation, descendants, is_root,
                     need_language, only_object,
                     own_places, poll, shipped, skip)

HELLO = "print('hello')\n"


# ---- exit codes ----

@pytest.mark.parametrize("code", [0, 1, 2, 7, 123, 124, 125, 126, 127, 137, 255])
def test_the_exit_code_is_the_childs_own_and_reason_says_so(box, code):
    done = box.command("/bin/sh", "-c", "exit %d" % code)
    assert (done.code, done.out, done.err) == (code, b"", b""), done
    r = box.command_json("/bin/sh", "-c", "exit %d" % code)
    assert (r["reason"], r["exit_code"], r["signal"]) == ("error" if code else "completed", code, None)
    assert r["error"] is None and r["language"] == "command"


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGSEGV", "SIGABRT", "SIGINT", "SIGHUP", "SIGPIPE", "SIGUSR1"])
def test_a_program_ended_by_a_signal_exits_with_128_and_its_number(box, name):
    number = getattr(signal, name)
    r = box.command_json("/bin/sh", "-c", "kill -%d $$" % number)
    assert (r["reason"], r["exit_code"], r["signal"]) == ("signal", None, number)
    assert box.command("/bin/sh", "-c", "kill -%d $$" % number).code == 128 + number


def test_124_is_the_deadline(box):
    done = box.command("/bin/sleep", "60", options=["--timeout", "0.3"])
    assert done.code == 124 and b"deadline" in done.err and done.out == b"", done
    r = box.command_json("/bin/sleep", "60", options=["--timeout", "0.3"])
    assert (r["reason"], r["exit_code"]) == ("timeout", None)
    assert 300 <= r["duration_ms"] < 30000


def test_137_is_out_of_memory(box):
    code = ("import time\nx = []\nfor i in range(110):\n    x.append(bytearray(b'x') * (1 << 20))\n"
            "    time.sleep(0.003)\nprint('survived')\n")
    done = box.run("python", code, options=["--memory", "64m"])
    assert done.code == 137 and b"memory" in done.err and done.out == b"", done
    r = box.json("python", code, options=["--memory", "64m"])
    assert r["reason"] == "oom" and "survived" not in r["stdout"]


@pytest.mark.parametrize("words, code",
                         [(["/etc/passwd"], 126), (["/usr"], 126), (["/nonexistent/program"], 127),
                          (["no-such-command-here"], 127)])
def test_126_and_127_are_not_executable_and_not_found(box, words, code):
    done = box.command(*words).refused(code, words[0])
    assert "step EXEC" in done.words
    r = box.command_json(*words)
    assert r["reason"] == "sandbox_error" and r["error"]["code"] == {126: "not_executable", 127: "not_found"}[code]
    assert r["error"]["step"] == "EXEC" and r["exit_code"] is None


def test_a_script_without_an_interpreter_is_not_executable(box):
    place = box.directory("tools")
    box.file("tools/script", "no shebang\n", 0o755)
    box.command("/tools/script", options=["--volume", "%s:/tools" % place]).refused(126, "/tools/script")


@pytest.fixture
def broken_prefix(box):
    """An installation of our own that can be damaged."""
    return copy_installation(box.dir / "prefix")


def test_a_copied_installation_works(box, broken_prefix):
    done = box.agent("--risk-level", "medium", "--", "/bin/echo", "fine", agent=broken_prefix / "bin/sandbox-agent")
    assert (done.code, done.out) == (0, b"fine\n"), done


@pytest.mark.parametrize("damage, words", [
    ("libexec/sandbox-agent/sandbox-launcher", "sandbox-launcher"),
    ("libexec/sandbox-agent/sandbox-policy", "sandbox-policy"),
    ("share/sandbox-agent/profiles/medium-risk.yaml", "medium-risk.yaml"),
    ("share/sandbox-agent/guards/python_guard.py", "python_guard.py"),
])
def test_125_is_a_sandbox_that_could_not_be_set_up(box, broken_prefix, damage, words):
    (broken_prefix / damage).unlink()
    agent = broken_prefix / "bin/sandbox-agent"
    arguments = ["--risk-level", "medium", "--language", "python", "--code", box.code(HELLO)]
    done = box.agent(*arguments, agent=agent).refused(125, words, "remedy: ")
    assert "install" in done.words
    r = box.agent("--json", *arguments, agent=agent).result
    assert r["reason"] == "sandbox_error" and words in r["error"]["message"] and r["isolation"] is None


def test_a_launcher_that_dies_at_once_is_no_success(box, broken_prefix):
    launcher = broken_prefix / "libexec/sandbox-agent/sandbox-launcher"
    launcher.unlink()
    launcher.write_text("#!/bin/sh\nexit 0\n")
    launcher.chmod(0o755)
    done = box.agent("--risk-level", "medium", "--", "/bin/true", agent=broken_prefix / "bin/sandbox-agent")
    assert done.code == 125 and b"sandbox-agent: step LAUNCHER" in done.err, done


def test_run_may_be_said_or_left_out(box):
    arguments = ["--risk-level", "medium", "--language", "python", "--code",
                 box.code("print(6 * 7); raise SystemExit(3)")]
    with_word, without = box.agent("run", *arguments), box.agent(*arguments)
    assert (with_word.code, with_word.out) == (without.code, without.out) == (3, b"42\n"), (with_word, without)


# ---- --json ----

def endings(box):
    """One run for each way to end: name -> (arguments, reason, exit code)"""
    medium = ["--risk-level", "medium"]
    quiet = box.derive("medium", execution__max_output="4k")
    return {
        "completed": ([*medium, "--", "/bin/echo", "hi"], "completed", 0),
        "error": ([*medium, "--", "/bin/false"], "error", 1),
        "signal": ([*medium, "--", "/bin/sh", "-c", "kill -9 $$"], "signal", 137),
        "timeout": ([*medium, "--timeout", "0.2", "--", "/bin/sleep", "60"], "timeout", 124),
        "oom": ([*medium, "--memory", "32m", "--", "/usr/bin/python3", "-c", "x = b'x' * (100 << 20)"], "oom", 137),
        "output_limit": (["--profile", quiet, "--", "/usr/bin/yes"], "output_limit", 137),
        "policy_denied": (["--risk-level", "high", "--", "/bin/true"], "policy_denied", 123),
        "not_found": ([*medium, "--", "no-such-command"], "sandbox_error", 127),
        "usage": ([*medium, "--memory", "lots", "--", "/bin/true"], "sandbox_error", 2),
        "code": ([*medium, "--language", "python", "--code", "/nonexistent"], "sandbox_error", 2),
        "profile": (["--profile", "/nonexistent.yaml", "--", "/bin/true"], "sandbox_error", 2),
        "unknown option": ([*medium, "--bogus", "--", "/bin/true"], "sandbox_error", 2),
    }


@pytest.mark.parametrize("name", ["completed", "error", "signal", "timeout", "oom", "output_limit", "policy_denied",
                                  "not_found", "usage", "code",
                                  "profile", "unknown option"])
def test_json_prints_one_object_however_a_run_ends(box, name):
    arguments, reason, code = endings(box)[name]
    done = box.agent("--json", *arguments)
    assert done.code == code, done
    r = done.result  # checks its shape
    assert r["reason"] == reason, r
    assert r["backend"] == "native" and re.fullmatch(r"exec-[0-9a-f]{24}", r["execution_id"])
    assert (r["error"] is not None) == (reason in ("policy_denied", "sandbox_error"))
    if name == "unknown option":
        assert r["language"] is None, "nobody named a language"


@pytest.mark.parametrize("arguments",
                         [["--bogus", "--json"], ["--timeout", "--json"], ["--memory", "1", "--memory", "2", "--json"]])
def test_json_counts_wherever_it_stands(box, arguments):
    if arguments[0] == "--timeout":
        arguments = ["--timeout", "soon", *arguments[1:], "--", "/bin/true"]
    done = box.agent(*arguments)
    assert done.code == 2 and done.result["error"]["code"] == "usage_error", done


def test_json_keys_are_those_of_the_contract_and_told_in_its_words(box):
    r = box.json("python", "import sys\nprint('out')\nprint('err', file=sys.stderr)\n",
                 options=["--agent-id", "agent-7"])
    assert [k for k in r if k in RESULT] == list(RESULT), "names and order of the contract"
    assert (r["agent_id"], r["language"], r["risk_level"], r["backend"]) == ("agent-7", "python", "medium", "native")
    assert (r["stdout"], r["stderr"]) == ("out\n", "err\n")
    assert (r["stdout_truncated"], r["stderr_truncated"], r["violations"], r["kill_switch"],
            r["findings"]) == (False, False, [], None, [])
    assert r["duration_ms"] > 0 and r["cpu_ms"] > 0 and r["peak_memory_bytes"] > MIB


def test_the_parts_of_timing_are_the_run_s_whole_time(box):
    assert box.json("bash", "true")["timing"]["scan_ms"] == 0, "a test's box does not scan unless it says so"
    box.user_config({"agixt": {"analysis": {"enabled": True}}})
    r = box.agent("--json", "--language", "bash", "-c", "sleep 0.3")
    timing, whole = r.result["timing"], sum(r.result["timing"].values())
    assert (timing["queue_ms"] == 0 and timing["scan_ms"] > 0 and timing["decide_ms"] > 0
            and timing["start_ms"] > 0), timing
    assert (0 < timing["run_ms"] <= r.result["duration_ms"] <= whole <= 1000 * r.seconds
            and timing["start_ms"] + timing["run_ms"] >= 300), (timing, r.result["duration_ms"], r.seconds)
    refused = box.agent("--json", "--language", "bash", "--risk-level", "high", "-c", "curl x").result["timing"]
    assert (refused["decide_ms"] > 0
            and (refused["start_ms"], refused["run_ms"], refused["settle_ms"]) == (0, 0, 0)), refused


def test_ids_are_never_the_same(box):
    ids = {box.command_json("/bin/true")["execution_id"] for _ in range(5)}
    assert len(ids) == 5


def test_json_replaces_what_is_no_utf8_and_escapes_the_rest(box):
    r = box.command_json("/usr/bin/printf", r'ok \377\376 "\\" \001\033[31m \342\202\254 \355\240\200 \000end')
    assert r["stdout"].startswith('ok \ufffd\ufffd "\\" \x01\x1b[31m € ') and r["stdout"].endswith(" \0end")


def test_our_own_words_go_to_stderr_only(box):
    for seconds in ("0.7", "5", "40"):  # until it had the time to say it
        done = box.run("python", "import time\nprint('first', flush=True)\ntime.sleep(60)\n",
                       options=["--timeout", seconds, "--debug"])
        if done.out:
            break
    assert done.out == b"first\n" and b"sandbox-agent: " in done.err, done
    done = box.run("python", "print('only')\n", options=["--log-level", "trace"])
    assert done.out == b"only\n", done
    done = box.agent("--json", "--debug", *box.words("python", HELLO))
    assert only_object(done.text)["stdout"] == "hello\n"
    assert b"sandbox-agent: debug: " in done.err


def test_debug_prints_the_time_of_each_launch_step(box):
    done = box.run("python", HELLO, options=["--debug"])
    steps = re.findall(r"debug: launch +(\w+) +\+ *\d+ us +at +(\d+) us", done.words)
    names, times = [n for n, _ in steps], [int(t) for _, t in steps]
    assert times == sorted(times)
    assert [n for n in ("NAMESPACES", "IDENTITY", "MOUNTS", "PIVOT", "LANDLOCK", "CAPABILITIES", "EXEC")
            if n not in names] == [], done
    assert not re.search("debug", box.run("python", HELLO).words)


# ---- refusals: options ----

@pytest.mark.parametrize("typed, meant", [("--langauge", "--language"), ("--tiemout", "--timeout"),
                                          ("--memroy", "--memory"), ("--risk_level", "--risk-level"),
                                          ("--volumes", "--volume"), ("--jsn", "--json"), ("--dryrun", "--dry-run"),
                                          ("--stdn", "--stdin")])
def test_an_unknown_option_is_answered_with_the_nearest(box, typed, meant):
    box.agent(typed, "x").refused(2, "unknown option " + typed, "did you mean %s?" % meant)


def test_an_option_like_no_other_gets_no_wrong_suggestion(box):
    done = box.agent("--xyzzy-plugh").refused(2, "unknown option --xyzzy-plugh", "--help")
    assert "did you mean" not in done.words


SIZE_WORDS, CPU_WORDS, TIME_WORDS, LEVEL_WORDS = ("512m",), ("0.25",), ("seconds",), ("low", "medium", "high")
BAD_VALUES = [("--memory", v, SIZE_WORDS)
              for v in ("", "0", "-1", "3x", "1e9", "999999g", "12 m", "0x10", " 5m", "5m ", "18446744073709551616",
                        "1.5g5", "m")]
BAD_VALUES += [("--cpu", v, CPU_WORDS)
               for v in ("", "0", "-1", "x", "nan", "inf", "1e3", "99999", "0.0001", "0,5", "0.5.5")]
BAD_VALUES += [("--timeout", v, TIME_WORDS)
               for v in ("", "0", "-5", "abc", "1e999", "999999999999999999999", "nan", "5 s", "5x", "0.00001")]
BAD_VALUES += [("--risk-level", v, LEVEL_WORDS) for v in ("extreme", "HIGH", "", "low ")]
BAD_VALUES += [("--log-level", v, ("trace", "info", "error")) for v in ("loud", "")]
BAD_VALUES += [("--backend", v, ("native", "docker")) for v in ("lxc", "")]
BAD_VALUES += [("--env", v, ("NAME=VALUE",)) for v in ("", "NOEQUALS", "=x", "1A=b", "A B=c", "A-B=c", "Ä=c")]
BAD_VALUES += [("--volume", v, ("HOST:INSIDE",)) for v in ("", "a", "/a", "/a:")]
BAD_VALUES += [("--volume", v, ("HOST must be an absolute path",)) for v in (":/b",)]
BAD_VALUES += [("--volume", v, ("No such file",)) for v in ("a:/b", "a/b:/b")]
BAD_VALUES += [("--volume", v, ("INSIDE",))
               for v in ("/usr:b", "/usr:/", "/usr:/etc", "/usr:/etc/x", "/usr:/proc/x", "/usr:/a/../b", "/usr:/a/..",
                         "/usr:/tmp",
                                                       "/usr:/code", "/usr:/code/main.py", "/usr://x", "/usr:/a/./b",
                                                       "/usr:/bin", "/usr:/dev/shm")]
BAD_VALUES += [("--volume", "/usr:/b:wx", ("ro", "rw")), ("--volume", "/usr:/b:ro:rw", ("ro", "rw")),
               ("--agent-id", "", ("1 to 128",)),
               ("--agent-id", "a" * 129, ("1 to 128",))]


@pytest.mark.parametrize("option, value, accepted", BAD_VALUES, ids=["%s %s" % (o, v[:30]) for o, v, _ in BAD_VALUES])
def test_a_bad_value_is_one_line_naming_option_value_and_what_is_accepted(box, option, value, accepted):
    level = [] if option == "--risk-level" else ["--risk-level", "medium"]
    box.agent(*level, option, value, "--", "/bin/true").refused(2, option, value, *accepted)
    assert box.agent(*level, "%s=%s" % (option, value), "--", "/bin/true").code == 2


@pytest.mark.parametrize("value", ["perl", "Pythonx", "", "command", "py thon", "c"])
def test_an_unknown_language_is_refused_with_those_known(box, value):
    box.agent("--language", value, "--code", box.code(HELLO)).refused(2, "--language " + value, *LANGUAGES)


@pytest.mark.parametrize("word, name", [("Python", "python"), ("py", "python"), ("python3", "python"),
                                        ("JavaScript", "node"), ("js", "node"), ("nodejs", "node"), ("sh", "bash"),
                                        ("Shell", "bash")])
def test_a_language_has_aliases_and_the_result_has_its_one_name(box, word, name):
    code = {"python": HELLO, "node": "console.log('hello')", "bash": "echo hello"}[name]
    r = box.agent("--risk-level", "medium", "--language", word, "--code", box.code(code), "--json").result
    assert (r["language"], r["stdout"]) == (name, "hello\n")


@pytest.mark.parametrize("option",
                         ["--memory", "--language", "--env", "--volume", "--profile", "--code", "--log-level"])
@pytest.mark.parametrize("evil", ["\x1b[31mred\x1b[0m", "two\nlines", "bell\a", "\x7f", "\x9b31m"])
def test_a_hostile_value_cannot_speak_to_the_terminal(box, option, evil):
    more = {"--language": ["--code", box.code(HELLO)],
            "--code": ["--language", "python"]}.get(option, ["--", "/bin/true"])
    box.agent("--risk-level", "medium", option, evil, *more).refused(2, option if option != "--profile" else "profile")


@pytest.mark.parametrize("arguments, needles", [
    (["--timeout"], ["--timeout", "needs a value", "SECONDS"]),
    (["--language", "python", "--code"], ["--code", "needs a value"]),
    (["--timeout", "1", "--timeout", "2", "--", "/bin/true"], ["--timeout", "twice", "1", "2"]),
    (["--json=yes", "--", "/bin/true"], ["--json", "takes no value"]),
    (["--debug", "stray"], ["unexpected argument stray", "--"]),
    (["--debug", "--"], ["behind --"]),
    (["--language", "python"], ["--code"]),
    (["--code", "x.py"], ["--language"]),
    (["--log-level", "info"], ["--language", "--code"]),
])
def test_incomplete_command_lines_say_what_is_missing(box, arguments, needles):
    if "--json=yes" in arguments:
        arguments = ["--risk-level", "medium", *arguments]
    box.agent(*arguments).refused(2, *needles)


@pytest.mark.parametrize("name", ["agnets", "doctr", "foo", "Run", "runn"])
def test_an_unknown_command_is_refused(box, name):
    box.agent(name, "x").refused(2, "unknown command " + name, "--help")


@pytest.mark.parametrize("words", [
    ["session"], ["session", "exec"], ["session", "cp"],
    ["doctor"], ["profiles"], ["profiles", "list"], ["profiles", "show"], ["profiles", "check"], ["config"],
    ["config", "show"], ["syscalls"], ["docs"],
    ["docs", "profiles"], ["policy"], ["policy", "test"], ["policy", "suggest"], ["scan"], ["agents"],
    ["agents", "list"], ["agents", "trust"], ["agents", "key"], ["keys"],
    ["keys", "create"], ["keys", "revoke"], ["audit"], ["audit", "tail"], ["audit", "search"], ["audit", "export"],
    ["audit", "verify"], ["artifacts"],
    ["artifacts", "show"], ["artifacts", "sweep"], ["watch"], ["watch", "replay"], ["sign"], ["receipt"],
    ["receipt", "verify"], ["audit", "checkpoint"],
    ["witness"], ["ps"], ["top"], ["mcp"], ["packages"], ["usage"], ["batch"], ["alerts"], ["alerts", "test"], ["hook"],
    ["hook", "claude-code"],
    ["wrap"], ["store"], ["fleet"]])
def test_every_subcommand_has_its_help(box, words):
    for option in ("--help", "-h"):
        done = box.agent(*words, option)
        assert (done.code, done.err) == (0, b"") and "sandbox-agent " + words[0] in done.text, done
    assert box.agent("help", words[0]).text == box.agent(words[0], "--help").text
    assert not box.log_dir.exists() and not list((box.dir / "state").iterdir())


def test_the_list_of_subcommands_that_have_help_is_whole():
    """What the tests above name is what the table has."""
    table = (ROOT / "src/cli/main.c")
    if not table.exists():
        skip("src/ is not in this copy of the tree")
    names = set(re.findall(r'\{ "([a-z]+)", cmd_', table.read_text()))
    marks = test_every_subcommand_has_its_help.pytestmark
    assert names == {words[0] for words in marks[0].args[1]} | {"run"}

def test_no_arguments_at_all_is_a_usage_error_told_on_stderr(box):
    done = box.agent()
    assert done.code == 2 and done.out == b"" and b"--language" in done.err, done


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["help"], ["run", "--help"], ["--risk-level", "low", "--help"]])
def test_help_fits_a_screen_and_shows_examples(box, words):
    done = box.agent(*words)
    lines = done.text.splitlines()
    assert done.code == 0 and done.err == b"", done
    assert 24 <= len(lines) <= 50 and max(map(len, lines)) <= 100
    assert "examples" in done.text and re.search(r"^  sandbox-agent --risk-level high --language python --code \S+",
                                                 done.text, re.M)
    for option in ("language", "code", "risk-level", "agent-id", "profile", "timeout", "memory", "cpu", "env", "volume",
                   "output-file", "backend", "config",
                   "stdin", "json", "dry-run", "log-level", "debug", "help", "version"):
        assert re.search(r"^  --%s\b" % option, done.text, re.M), option


@pytest.mark.parametrize("words", [["--version"], ["run", "--version"], ["--debug", "--version"]])
def test_version_is_one_line(box, words):
    done = box.agent(*words)
    assert done.code == 0 and re.fullmatch(r"sandbox-agent \d+\.\d+\.\d+\n", done.text), done


def test_the_examples_of_the_help_work_as_they_stand(box):
    help_text = box.agent("--help").text
    (box.cwd / "agent.py").write_text("print('an agent')\n")
    (box.cwd / "main.go").write_text("package main\nfunc main() {}\n")
    examples = re.findall(r"^  (.*sandbox-agent --.*)$", help_text.split("examples")[1], re.M)
    assert len(examples) >= 3
    for line in examples:
        if "node" in line:
            need_language("node")
        if "/srv/data" in line or "--language go" in line:
            continue
        done = subprocess.run(["/bin/sh", "-c", line], cwd=box.cwd,
                              env={**box.env, "PATH": "%s:/usr/bin:/bin" % AGENT.parent},
                              stdin=subprocess.DEVNULL, capture_output=True)
        assert done.returncode == 0, (line, done)


# ---- refusals: code files ----

def refuse_code(box, path, *needles, language="python"):
    return box.agent("--risk-level", "medium", "--language", language, "--code",
                     path).refused(2, "--code", str(path), *needles)


def test_a_code_file_that_is_missing(box):
    refuse_code(box, box.dir / "nothing.py", "No such file")


def test_a_code_file_that_is_empty(box):
    refuse_code(box, box.code(""), "empty")


def test_a_code_file_that_cannot_be_read(box):
    if is_root():
        skip("root may read every file")
    refuse_code(box, box.file("secret.py", HELLO, 0o000), "Permission denied")


def test_a_code_file_that_is_a_directory(box):
    refuse_code(box, box.directory("code.d"), "not a regular file")


def test_code_from_a_fifo_and_from_a_process_substitution(box):
    os.mkfifo(box.dir / "fifo.py")
    live = box.start("--risk-level", "medium", "--language", "python", "--code", box.dir / "fifo.py")
    with open(box.dir / "fifo.py", "w", encoding="utf-8") as f:
        f.write(HELLO)
    assert live.finish().code == 0
    command = "exec %s --risk-level medium --language bash --code <(echo 'echo \"from $0\"')" % AGENT
    done = subprocess.run(["bash", "-c", command], env=box.env, cwd=box.cwd, capture_output=True, timeout=60)
    assert done.returncode == 0 and done.stdout.startswith(b"from "), done


def test_a_fifo_that_no_program_writes_to_does_not_hold_us_for_ever(box):
    os.mkfifo(box.dir / "fifo.py")
    refuse_code(box, box.dir / "fifo.py", "no program has written to it")


@pytest.mark.parametrize("name", ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"])
def test_code_from_standard_input_by_its_name(box, name):
    words = ["--risk-level", "medium", "--language", "python", "--code", name]
    assert box.agent(*words, input="print('by name')\n").out == b"by name\n"
    with open(box.file("offset.py", "raise Exception\nprint('the rest')\n"), "rb", buffering=0) as f:
        f.seek(len("raise Exception\n"))
        assert box.agent(*words, stdin=f).out == b"the rest\n"
    box.agent(*words, "--stdin", "-", input=HELLO).refused(2, "--stdin -", name)


def test_code_as_a_word(box):
    words = ["--risk-level", "medium", "--language", "python", "-c"]
    assert box.agent(*words, "import sys\nprint('x', *sys.argv[1:])", "--", "a", "b").out == b"x a b\n"
    assert box.agent("--language", "node", "--risk-level", "medium", "-c", "console.log(1)").out == b"1\n"
    assert box.agent(*words, "print(input())", "--stdin", "-", input="read\n").out == b"read\n"
    box.agent(*words, "").refused(2, "-c", "empty")
    box.agent(*words, "1", "--code", "x.py").refused(2, "-c", "--code x.py")
    box.agent("--risk-level", "medium", "-c", "1").refused(2, "--language")
    assert "main.py" in json.dumps(box.plan(*words, "print(1)"))


def test_a_command_reads_the_pipe_or_file_that_is_our_standard_input(box):
    words = ["--risk-level", "low", "--", "cat"]
    assert box.agent(*words, input="hello\n").out == b"hello\n"
    with open(box.file("text", "from a file\n"), "rb") as f:
        assert box.agent(*words, stdin=f).out == b"from a file\n"
    ours, theirs = socket.socketpair()  # what Node gives its children
    with ours, theirs:
        live = box.start(*words, stdin=theirs)
        ours.sendall(b"from a socket\n")
        ours.shutdown(socket.SHUT_WR)
        assert live.finish().out == b"from a socket\n"
    assert box.agent("--risk-level", "low", "--stdin", "/dev/null", "--", "cat", input="not asked for\n").out == b""
    # code in a language is not a command: it has the input that was asked for
    assert box.run("python", "import sys; print(repr(sys.stdin.read()))", input="not asked for\n").out == b"''\n"


def test_a_command_has_no_terminal_for_its_input(box):
    main, terminal = os.openpty()
    try:
        assert box.agent("--risk-level", "low", "--", "cat", stdin=terminal).out == b""
    finally:
        os.close(main)
        os.close(terminal)


def test_relative_volumes(box):
    (box.cwd / "data").mkdir()
    (box.cwd / "data/n").write_text("1\n2\n")
    for spec in ("data:/d", "./data:/d", "../cwd/data/:/d:ro", ".:/d", "data/../data/.:/d"):
        name = "/d/data/n" if spec.startswith(".:") else "/d/n"
        assert box.command("/bin/cat", name, options=["--volume", spec]).out == b"1\n2\n", spec
    (box.cwd / "link").symlink_to("data")
    box.command("/bin/cat", "/d/n", options=["--volume", "link:/d"]).refused(2, "link:/d", "symbolic link",
                                                                             str(box.cwd / "data"))


def test_a_code_file_that_is_a_socket_or_device(box):
    s = socket.socket(socket.AF_UNIX)
    s.bind(str(box.dir / "sock"))
    done = box.agent("--risk-level", "medium", "--language", "python", "--code", box.dir / "sock")
    assert done.code == 2 and b"--code" in done.err
    s.close()
    refuse_code(box, "/dev/zero", "not a regular file")


def test_a_code_file_of_100_megabytes(box):
    with open(box.dir / "big.py", "wb") as f:
        f.truncate(100 << 20)
    refuse_code(box, box.dir / "big.py", "8 MiB")


def test_the_largest_code_that_is_accepted_and_one_byte_more(box):
    text = b"echo fine\nexit 0\n"
    path = box.file("large.sh", text + b"#" * (8 * MIB - len(text)))
    assert box.run("bash", path).out == b"fine\n"
    path.write_bytes(path.read_bytes() + b"#")
    refuse_code(box, path, "8 MiB", language="bash")


@pytest.mark.parametrize("content", [b"print(1)\0\n", b"\0", b"\x7fELF\x02\x01\x01\0\0\0", b"\x89PNG\r\n\x1a\n\0\0"])
def test_a_code_file_with_a_nul_is_binary(box, content):
    refuse_code(box, box.file("binary.py", content), "binary")


def test_code_that_is_no_utf8_is_the_languages_affair(box):
    assert box.run("python", box.file("latin.py", b"# -*- coding: latin-1 -*-\nprint(len('\xe4\xf6'))\n")).out == b"2\n"
    assert box.run("bash", box.file("bytes.sh", b"printf '\xff\xfe|'\n")).out == b"\xff\xfe|"


def test_code_comes_from_standard_input_too(box):
    done = box.agent("--risk-level", "medium", "--language", "python", "--code", "-", input="print('from stdin')\n")
    assert (done.code, done.out) == (0, b"from stdin\n"), done
    box.agent("--risk-level", "medium", "--language", "python", "--code", "-", input="").refused(2, "--code -", "empty")
    box.agent("--risk-level", "medium", "--language", "python", "--code", "-",
              input=b"a\0").refused(2, "--code -", "binary")
    box.agent("--risk-level", "medium", "--language", "python", "--code", "-", "--stdin", "-",
              input=HELLO).refused(2, "--stdin -", "--code -")


def test_endless_code_on_standard_input_is_refused_not_swallowed(box):
    yes = subprocess.Popen(["/usr/bin/yes"], stdout=subprocess.PIPE)
    try:
        done = box.agent("--risk-level", "medium", "--language", "python", "--code", "-", stdin=yes.stdout)
    finally:
        yes.kill()
        yes.stdout.close()
        yes.wait()
    done.refused(2, "--code -", "8 MiB")


def test_the_code_file_may_be_a_link_and_need_not_be_readable_for_others(box):
    box.file("real.py", HELLO, 0o600)
    os.symlink("real.py", box.dir / "link.py")
    assert box.run("python", box.dir / "link.py").out == b"hello\n"


# ---- refusals: YAML ----

BAD_YAML = {
    "a value that is none": ("resources:\n  memory: 12q\n", 2, ["resources.memory", "12q", "512m"]),
    "an unknown key": ("resources:\n  memry: 12m\n", 2, ["resources.memry", "did you mean 'resources.memory'?"]),
    "an unknown group": ("name: x\nresorces:\n  memory: 1m\n", 2, ["resorces", "did you mean 'resources'?"]),
    "an unknown key of a language": ("languages:\n  python:\n    blocked_module: []\n", 3,
                                     ["did you mean 'languages.python.blocked_modules'?"]),
    "a key twice": ("name: a\nname: b\n", 2, ["name is given twice", "line 1"]),
    "a list where a value belongs": ("name: [a, b]\n", 1, ["name", "expected a text", "list"]),
    "a value where a mapping belongs": ("resources: 5\n", 1, ["resources"]),
    "a mapping where a value belongs": ("name:\n  a: b\n", None, ["name", "mapping"]),
    "brackets that do not close": ("name: x\nkill_switches: [a, b\n", None, ["expected"]),
    "a tab": ("resources:\n\tmemory: 1m\n", 2, []),
    "an anchor": ("name: &a x\n", 1, ["anchor"]),
    "an alias": ("name: *a\n", 1, ["alias"]),
    "a tag": ("name: !!python/object x\n", 1, ["tag"]),
    "a second document": ("name: a\n---\nname: b\n", None, []),
    "a boolean that is none": ("security:\n  no_new_privileges: maybe\n", 2, ["true or false"]),
    "a word that is not one of the choices": ("network:\n  mode: host\n", 2, ["none or bridge"]),
    "a kill switch that is not known": ("kill_switches: [self_destruct]\n", 1,
                                        ["self_destruct", "fork_bomb_detection"]),
    "root inside": ("security:\n  user: '0:0'\n", 2, ["root"]),
    "limits that contradict": ("resources:\n  storage: 1m\nfilesystem:\n  temp_size: 2m\n", None,
                               ["filesystem.temp_size", "resources.storage"]),
    "no mapping at all": ("just words\n", 1, []),
    "a NUL": ("name: a\0b\n", None, []),
    "no UTF-8": (b"name: \xff\xfe\n", None, []),
}


@pytest.mark.parametrize("what", BAD_YAML)
def test_a_malformed_profile_is_answered_with_file_line_and_what_was_expected(box, what):
    content, line, needles = BAD_YAML[what]
    path = box.file("bad.yaml", content)
    place = str(path) if line is None else "%s:%d:" % (path, line)
    box.agent("--profile", path, "--language", "python", "--code", box.code(HELLO)).refused(2, place, *needles)


@pytest.mark.parametrize("what, content, line, needles", [
    ("unknown key", "sandbox:\n  enabld: true\n", 2, ["sandbox.enabld", "did you mean 'sandbox.enabled'?"]),
    ("bad level", "sandbox:\n  default_risk_level: severe\n", 2, ["severe", "low, medium or high"]),
    ("bad number", "agixt:\n  trust:\n    default_score: 2\n", 3, ["agixt.trust.default_score", "between 0 and 1"]),
    ("broken", "sandbox: {\n", None, []),
    ("twice", "sandbox:\n  enabled: true\nsandbox:\n  enabled: false\n", 3, ["twice"]),
    ("relative", "sandbox:\n  paths:\n    log_dir: log\n", 3, ["absolute"]),
])
@pytest.mark.parametrize("source", ["--config", "user"])
def test_a_malformed_configuration_is_answered_with_file_line_and_what_was_expected(box, what, content, line, needles,
                                                                                    source):
    path = box.file("bad.yaml" if source == "--config" else "config/sandbox-agent/config.yaml", content)
    place = str(path) if line is None else "%s:%d:" % (path, line)
    option = ["--config", path] if source == "--config" else []
    box.agent("--risk-level", "medium", *option, "--", "/bin/true").refused(2, place, *needles)


@pytest.mark.parametrize("option", ["--profile", "--config"])
def test_yaml_files_that_are_none(box, option):
    words = [*(["--risk-level", "medium"] if option == "--config" else []), "--", "/bin/true"]
    os.mkfifo(box.dir / "fifo.yaml")
    with open(box.dir / "big.yaml", "w") as f:
        f.write("# " + "x" * (300 << 10) + "\n")
    for path, needle in ((box.dir / "missing.yaml", "no such"), (box.directory("dir.yaml"), "not a regular file"),
                         (box.dir / "fifo.yaml", "not a regular file"),
                         (box.dir / "big.yaml", "256 KiB")):
        box.agent(option, path, *words).refused(2, str(path), needle)


def test_a_profile_that_says_nothing_is_the_safe_choice(box):
    for content in ("", "# nothing\n", "name: mine\n"):
        r = box.json("python", HELLO, profile=box.file("empty.yaml", content))
        assert (r["reason"] == "completed" and r["risk_level"] == "high"
                and r["isolation"]["limits"]["memory_bytes"] == 128 * MIB)


def test_a_profile_and_a_level_that_contradict_are_refused(box):
    box.agent("--profile", box.derive("low"), "--risk-level", "high", "--language", "python", "--code",
              box.code(HELLO)).refused(2, "risk_level", "low", "high")


# ---- environment ----

PRINT_ENV = "import os\nfor k in sorted(os.environ): print(k + '=' + os.environ[k])\n"


def test_env_reaches_the_program_where_the_profile_allows_it(box):
    open_profile = box.derive("medium", languages__python__blocked_modules=[])
    done = box.run("python", PRINT_ENV, profile=open_profile,
                   options=["--env", "A=1", "--env", "EMPTY=", "--env", "EQ=a=b", "--env", "UNI=ä€ x", "--env", "A=2",
                            "--env", "LANG=C", "--env=B=3"])
    lines = done.text.splitlines()
    assert done.code == 0, done
    for pair in ("A=2", "EMPTY=", "EQ=a=b", "UNI=ä€ x", "LANG=C", "B=3"):
        assert pair in lines, (pair, lines)
    assert "A=1" not in lines


def test_env_is_refused_at_high_and_names_the_way_out(box):
    done = box.run("python", HELLO, level="high",
                   options=["--env", "SECRET_NAME=secret value"]).refused(123, "SECRET_NAME",
                                                                          "environment.allow_custom_env", "remedy: ")
    assert "secret value" not in done.words
    r = box.json("python", HELLO, level="high", options=["--env", "A=b"])
    assert r["reason"] == "policy_denied" and r["error"]["code"] == "policy_denied"


@pytest.mark.parametrize("name",
                         ["LD_PRELOAD", "LD_LIBRARY_PATH", "PATH", "HOME", "TMPDIR", "PYTHONPATH", "NODE_OPTIONS",
                          "BASH_ENV", "IFS", "GLIBC_TUNABLES"])
def test_restricted_variables_are_refused_at_every_level(box, name):
    assert name in shipped("low")["environment"]["restricted_env"]
    for level in ("low", "medium"):
        box.run("python", HELLO, level=level,
                options=["--env", name + "=x"]).refused(123, name, "environment.restricted_env")


@pytest.mark.parametrize("language", ["bash", "node"])
def test_what_a_guard_listens_to_is_no_callers_to_say(box, language):
    """Its text would come before the program, and was scanned by none."""
    options = ["--env", "SANDBOX_PARKED=0", "--stdin", box.file("text", "18\necho not scanned ;\n")]
    box.run(language, "1", level="medium", options=options).refused(2, "SANDBOX_PARKED=0", "own")


def test_the_callers_environment_stays_outside(box):
    done = box.run("python", PRINT_ENV, level="low",
                   env={"API_TOKEN": "hunter2", "LD_PRELOAD": "/nonexistent.so", "PYTHONPATH": "/nonexistent",
                        "LANG": "de_DE"})
    assert (done.code == 0 and "hunter2" not in done.text and "PRELOAD" not in done.text
            and "de_DE" not in done.text), done
    assert set(line.split("=")[0] for line in done.text.splitlines()) <= {"PATH", "HOME", "TMPDIR", "LANG", "USER",
                                                                          "LC_CTYPE"}


# ---- volumes ----

def test_a_volume_is_read_only_unless_asked_otherwise(box):
    place = box.directory("data")
    box.file("data/a.txt", "from the host\n", 0o666)
    for options in (["--volume", "%s:/data" % place], ["--volume", "%s:/data:ro" % place]):
        done = box.command("/bin/sh", "-c",
                           "cat /data/a.txt; echo x > /data/a.txt; echo y > /data/new; rm /data/a.txt; touch -d "
                           "2001-01-01 /data", options=options)
        assert (done.out == b"from the host\n"
                and done.words.count("Read-only file system") + done.words.count("Permission denied") >= 3), done
    assert [p.name for p in place.iterdir()] == ["a.txt"] and (place / "a.txt").read_text() == "from the host\n"


def test_a_writable_volume_keeps_what_is_written(box):
    place = box.directory("data")
    done = box.command("/bin/sh", "-c", "echo result > /data/out.txt && cat /data/out.txt",
                       options=["--volume", "%s:/data:rw" % place])
    assert (done.code, done.out) == (0, b"result\n"), done
    assert (place / "out.txt").read_text() == "result\n"


def test_a_volume_may_be_one_file_and_lie_deep_inside(box):
    path = box.file("one.csv", "1,2\n")
    done = box.command("/bin/cat", "/data/deep/er/one.csv", options=["--volume", "%s:/data/deep/er/one.csv" % path])
    assert (done.code, done.out) == (0, b"1,2\n"), done


def test_volumes_give_no_set_user_id_no_devices_and_no_path_upward(box):
    place = box.directory("data/sub")
    box.file("data/secret", "secret\n")
    shutil.copy("/bin/id", place / "id")
    (place / "id").chmod(0o6755)
    script = "cat /data/../secret /data/../../data/secret 2>/dev/null; /data/id -u; ls -d /data/.."
    done = box.command("/bin/sh", "-c", script, options=["--volume", "%s:/data" % place])
    assert b"secret\n" not in done.out and b"65534\n" in done.out, done


@pytest.mark.parametrize("host",
                         ["/", "/etc", "/etc/ssl", "/root", "/proc", "/sys", "/dev", "/usr", "/usr/bin", "/boot",
                          "/var", "/home", "/run"])
def test_a_volume_over_the_systems_own_places_is_refused_at_every_level(box, host):
    if not os.path.isdir(host) or os.path.realpath(host) != host:
        skip("%s is no directory of its own here" % host)
    for level in ("low", "medium"):
        box.command("/bin/true", level=level,
                    options=["--volume", host + ":/data"]).refused(123, host, "filesystem.allowed_mounts", "remedy: ")


def test_a_volume_that_is_no_file_and_no_directory_is_refused(box):
    s = socket.socket(socket.AF_UNIX)
    s.bind(str(box.dir / "docker.sock"))
    os.mkfifo(box.dir / "fifo")
    for path in (box.dir / "docker.sock", box.dir / "fifo", "/dev/null"):
        box.command("/bin/true", options=["--volume",
                                          "%s:/data" % path]).refused(2, "--volume", str(path),
                                                                      "neither a directory nor a regular file")
    s.close()


def test_a_volume_by_way_of_a_symbolic_link_is_refused(box):
    box.directory("real/sub")
    os.symlink("real", box.dir / "link")
    os.symlink("sub", box.dir / "real/inner")
    for path in ("link", "link/sub", "real/inner", "real/../real", "real/sub/", "real/./sub", "real//sub"):
        box.command("/bin/true", options=["--volume", "%s/%s:/data"
                                          % (box.dir, path)]).refused(2, "--volume", "symbolic link", "remedy: ")
    assert box.command("/bin/true", options=["--volume", "%s/real/sub:/data" % box.dir]).code == 0


def test_other_volumes_that_are_refused(box):
    os.symlink("loop", box.dir / "loop")
    for host, needle in (("relative", "No such file"), ("~/x", "No such file"), (box.dir / "nothing", "No such file"),
                         (box.dir / "loop", "ymbolic link")):
        box.command("/bin/true", options=["--volume", "%s:/data" % host]).refused(2, "--volume", str(host), needle)


def test_volumes_are_refused_at_high_unless_the_profile_permits_them(box):
    place = box.directory("data")
    box.run("python", HELLO, level="high",
            options=["--volume", "%s:/data" % place]).refused(123, str(place), "filesystem.allowed_mounts")
    permits = box.derive("high", filesystem__allowed_mounts=[str(box.dir)])
    assert box.run("python", HELLO, profile=permits, options=["--volume", "%s:/data" % place]).out == b"hello\n"


def test_more_than_sixteen_volumes_are_refused_and_sixteen_are_not(box):
    volumes = []
    for i in range(17):
        volumes += ["--volume", "%s:/v%d" % (box.directory("v%d" % i), i)]
    assert box.command("/bin/ls", "-d", "/v15", options=volumes[:32]).out == b"/v15\n"
    box.command("/bin/true", options=volumes).refused(2, "--volume", "16")


# ---- standard input ----

READ = "import sys\ndata = sys.stdin.buffer.read()\nsys.stdout.buffer.write(data)\n"


def test_standard_input_of_code_is_empty_by_default(box):
    code = "import sys; print(repr(sys.stdin.read()))"
    with open(box.file("mine", "the caller's input\n")) as f:
        assert box.run("python", code, stdin=f).out == b"''\n"
    assert box.run("python", code, input="typed\n").out == b"''\n"


def test_standard_input_from_a_file(box):
    path = box.file("in.bin", bytes(range(256)) * 100, 0o600)
    assert box.command("/bin/cat", options=["--stdin", path]).out == bytes(range(256)) * 100
    assert box.command("/bin/cat", options=["--stdin", box.file("empty", "")]).out == b""


def test_standard_input_from_ours(box):
    data = os.urandom(3 * MIB)
    assert box.command("/bin/cat", options=["--stdin", "-"], input=data).out == data


def test_a_program_that_does_not_read_its_input_ends_all_the_same(box):
    r, w = os.pipe()  # never closed, never written to
    try:
        assert box.command("/bin/echo", "done", options=["--stdin", "-"], stdin=r).out == b"done\n"
    finally:
        os.close(r)
        os.close(w)
    big = box.file("big", b"x" * (2 * MIB))
    assert box.command("/bin/head", "-c", "3", options=["--stdin", big]).out == b"xxx"


def test_input_arrives_while_the_program_runs(box):
    live = box.live("bash", "echo ready; read a; echo \"got $a\"; read b; echo \"then $b\"\n", options=["--stdin", "-"],
                    stdin=subprocess.PIPE)
    live.process.stdin.write(b"one\n")
    live.process.stdin.flush()
    assert live.wait_for(b"got one\n")
    live.process.stdin.write(b"two\n")
    live.process.stdin.close()
    live.process.stdin = None
    done = live.finish()
    assert (done.code, done.out) == (0, b"then two\n"), done


def test_input_that_did_not_fit_at_once_arrives_without_more_of_it(box):
    """More than a pipe holds, to a program that reads late, from a writer that waits for its answer."""
    live = box.live("bash", "echo ready; sleep 0.3; head -c 90000 | wc -c\nread x\n", options=["--stdin", "-"],
                    stdin=subprocess.PIPE)
    live.process.stdin.write(b"x" * 90000)
    live.process.stdin.flush()
    assert live.wait_for(b"90000\n")
    live.process.stdin.close()
    live.process.stdin = None
    live.finish()


def test_input_that_cannot_be_opened_is_refused(box):
    box.command("/bin/cat", options=["--stdin", box.dir / "nothing"]).refused(2, "--stdin", "nothing", "No such file")
    box.command("/bin/cat", options=["--stdin", box.directory("dir")]).refused(2, "--stdin", "dir")


def test_the_program_cannot_reach_the_callers_terminal_or_file_by_its_input(box):
    path = box.file("in.txt", "text\n", 0o666)
    with open(path, "r+") as f:
        done = box.command("/bin/sh", "-c", "cat; echo changed >&0", options=["--stdin", "-"], stdin=f)
    assert done.out == b"text\n" and path.read_text() == "text\n", done


# ---- --output-file ----

def test_output_file_gets_a_copy_of_stdout_and_nothing_else(box):
    for options in ([], ["--json"]):
        path = box.file("copy.txt", "old content that is longer than what comes\n" * 3)
        data = "\\001\\377 text\\n"
        done = box.command("/bin/sh", "-c", "printf '%s'; echo error >&2" % data,
                           options=[*options, "--output-file", path])
        assert done.code == 0 and path.read_bytes() == b"\x01\xff text\n", (done, path.read_bytes())
        assert done.out == b"\x01\xff text\n" or options
    box.command("/bin/true", options=["--output-file", box.dir / "new.txt"])
    assert (box.dir / "new.txt").read_bytes() == b""


def test_an_output_file_that_cannot_be_written_is_refused_before_anything_runs(box):
    place = box.directory("data")
    for path in (box.dir / "no/such/dir/out", box.directory("dir")):
        box.command("/bin/sh", "-c", "echo ran > /data/ran",
                    options=["--output-file", path, "--volume",
                             "%s:/data:rw" % place]).refused(2, "--output-file", str(path))
    assert list(place.iterdir()) == []


# ---- the log file ----

SUMMARY = ("Agent ID", "Risk Level", "Language", "Code File", "Exit Code", "Duration", "Timestamp")


FRAME = "=" * 33 + "\n"


def summary(path):
    """-> (the program's output, the summary's fields and, before them, what else is said of the run)"""
    text, title = path.read_bytes(), (FRAME + "Execution Summary\n" + FRAME).encode()
    before, found, block = text.rpartition(title)
    assert found and block.endswith(b"\n" + FRAME.encode()), text
    output, found, words = before.rpartition(b"\nExecution ID: ")
    assert found, text
    lines = [line.split(": ", 1) for line in block.decode()[:-len(FRAME)].splitlines()]
    assert [k for k, _ in lines] == list(SUMMARY), "these lines, in this order, and no others: %s" % lines
    return output, {**dict(line.split(": ", 1) for line in ("Execution ID: " + words.decode()).splitlines()),
                    **dict(lines)}


def test_each_run_leaves_a_log_with_output_and_summary(box):
    code = box.code("import sys\nprint('to out', flush=True)\nprint('to err', file=sys.stderr)\nraise SystemExit(4)\n")
    begin = time.strftime("%Y%m%d_%H%M%S")
    r = box.json("python", code, options=["--agent-id", "agent-7"])
    (log,) = box.logs()
    stamp = re.fullmatch(r"medium-risk_agent-7_(\d{8}_\d{6})\.log", log.name).group(1)
    assert begin <= stamp <= time.strftime("%Y%m%d_%H%M%S")
    output, fields = summary(log)
    assert output == b"to out\nto err\n"
    assert (fields["Agent ID"], fields["Risk Level"], fields["Language"],
            fields["Code File"]) == ("agent-7", "medium", "python", str(code))
    at = time.strptime(stamp, "%Y%m%d_%H%M%S")
    assert (fields["Exit Code"], fields["Timestamp"], fields["Reason"],
            fields["Execution ID"]) == ("4", time.strftime("%Y-%m-%d %H:%M:%S", at), "error", r["execution_id"])
    assert re.fullmatch(r"\d+s", fields["Duration"]) and float(fields["Wall Time"].split()[0]) > 0
    assert stat.S_IMODE(log.stat().st_mode) & 0o077 == 0, "what an agent prints is not for everybody"


@pytest.mark.parametrize("name, exit_code, reason", [("completed", "0", "completed"), ("signal", "137", "signal"),
                                                     ("timeout", "124", "timeout"),
                                                     ("oom", "137", "oom"), ("output_limit", "137", "output_limit")])
def test_the_summary_is_written_however_a_run_ends(box, name, exit_code, reason):
    box.agent(*endings(box)[name][0])
    (log,) = box.logs()
    _, fields = summary(log)
    assert fields["Reason"] == reason and fields["Agent ID"] == "anonymous"
    assert fields["Exit Code"] == exit_code
    assert log.name.startswith("medium-risk_anonymous_")


@pytest.mark.parametrize("agent",
                         ["../../etc/passwd", "/abs/olute", "a/b", "a;rm\t-rf*".replace("\t", "${IFS}"), "<b>&amp;",
                          ".", "..", "-rf", "%s%n%x", ".hidden", "a" * 128, "'\"`$(id)"])
def test_a_hostile_agent_name_stays_a_plain_file_in_the_log_directory(box, agent):
    r = box.command_json("/bin/true", options=["--agent-id", agent])
    assert r["agent_id"] == agent and r["reason"] == "completed"
    (log,) = box.logs()
    assert [p.name for p in box.log_dir.iterdir() if not p.name.startswith(("audit", "artifacts"))] == [log.name]
    assert re.fullmatch(r"medium-risk_[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}_\d{8}_\d{6}\.log", log.name), log.name
    _, fields = summary(log)
    assert fields["Agent ID"] == agent


# white space, controls, zero width, bidirectional, and the two forms of an e with an accent
@pytest.mark.parametrize("agent", ["a\nAgent ID: forged", "a\rb", "tab\there", "\x1b[2J", "nul\x7f", "a b", " a",
                                   "a\u00a0b", "a\u200bb", "a\u2066b", "\u202eb", "\u00e9", "e\u0301",
                                   "\ufeffa"])
def test_an_agent_name_beyond_its_alphabet_is_refused(box, agent):
    box.command("/bin/true", options=["--agent-id",
                                      agent]).refused(2, "--agent-id",
                                                      "1 to 128 printable ASCII characters without a space")
    assert box.logs() == []


def test_output_that_looks_like_a_summary_does_not_pass_for_one(box):
    box.command("/bin/printf", (FRAME + "Execution Summary\n" + FRAME + "Agent ID: forged\nExit Code: 99\n"
                                + FRAME).replace("\n", "\\n"))
    _, fields = summary(box.logs()[0])
    assert (fields["Agent ID"], fields["Exit Code"]) == ("anonymous", "0")


def test_runs_of_one_second_get_a_file_each(box):
    lives = [box.start("--risk-level", "medium", "--", "/bin/echo", str(i)) for i in range(12)]
    for live in lives:
        assert live.finish().code == 0
    logs = box.logs()
    assert len(logs) == 12
    assert sorted(int(summary(p)[0].split()[0]) for p in logs) == list(range(12))


def test_a_log_directory_that_cannot_be_made_is_told_with_the_remedy(box):
    box.file("file", "in the way")
    box.user_config({"sandbox": {"paths": {"log_dir": str(box.dir / "file/log")}}})
    place = box.directory("data")
    done = box.command("/bin/sh", "-c", "echo ran > /data/ran",
                       options=["--volume", "%s:/data:rw" % place]).refused(125, "log", "remedy: ", "log_dir")
    assert str(box.dir / "file/log") in done.words and list(place.iterdir()) == []


def test_without_configuration_logs_go_where_the_contract_says(box):
    (box.dir / "config/sandbox-agent/config.yaml").unlink()
    if not is_root() and os.access("/var/log/sandbox", os.W_OK):
        skip("/var/log/sandbox is writable for this user, and this machine's own")
    look = 'sandbox=$0; "$@" && cd / && ls -d var/log/sandbox/*risk_a1_*.log "$sandbox"/*risk_a1_*.log 2>/dev/null'
    agent = [AGENT, "--risk-level", "medium", "--agent-id", "a1", "--", "/bin/true"]
    done = subprocess.run([*own_places(), "/bin/sh", "-c", look, box.dir / "state/sandbox-agent/log", *agent],
                          env=box.env, cwd=box.cwd, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=60)
    (found,) = done.stdout.splitlines()
    assert found.startswith("var/log/sandbox/" if is_root() else str(box.dir)), done


# ---- configuration ----

def test_config_on_the_command_line_wins_over_the_users(box):
    config = box.file("c.yaml", "sandbox:\n  paths:\n    log_dir: %s\n" % (box.dir / "elsewhere/deep"))
    assert box.command("/bin/true", options=["--config", config]).code == 0
    assert box.logs() == [] and len(list((box.dir / "elsewhere/deep").glob("medium-risk_*.log"))) == 1


def test_global_options_may_stand_before_the_command(box):
    config = box.file("c.yaml", "sandbox:\n  paths:\n    log_dir: %s\n" % (box.dir / "elsewhere"))
    assert box.agent("--config", config, "run", "--risk-level", "medium", "--", "/bin/echo", "--config",
                     "x").out == b"--config x\n"
    assert len(list((box.dir / "elsewhere").glob("medium-risk_*.log"))) == 1 and box.logs() == []
    for words in (["--config", config, "audit", "verify"], ["--config=%s" % config, "audit", "verify"],
                  ["audit", "verify", "--config", config]):
        done = box.agent(*words)
        assert done.code == 0 and re.match(r"ok: \d+ lines of 1 file", done.text), done
    lines = len((box.dir / "elsewhere/audit.jsonl").read_text().splitlines())
    assert "ok: %d lines" % lines in box.agent("--config", config, "audit", "verify").text
    assert only_object(box.agent("--json", "--config", config, "audit", "verify").text)
    (line,) = [line for line in box.agent("--config", config, "config", "show").text.splitlines() if "log_dir" in line]
    assert str(box.dir / "elsewhere") in line
    assert "execution-finished" in box.agent("--config", config, "audit", "search", "--limit", "1").text
    assert box.agent("--config", config, "profiles", "list").code == box.agent("--json", "doctor", "--help").code == 0
    box.agent("--config", config, "audti", "verify").refused(2)
    box.agent("--config", box.dir / "none", "audit", "verify").refused(2, "none")


def test_a_sandbox_that_is_disabled_runs_nothing(box):
    box.user_config({"sandbox": {"enabled": False}})
    for arguments in (box.words("python", HELLO), ["--risk-level", "medium", "--", "/bin/true"],
                      ["--dry-run", *box.words("python", HELLO)]):
        box.agent(*arguments).refused(123, "sandbox.enabled", "remedy: ")
    r = box.agent("--json", *box.words("python", HELLO)).result
    assert r["reason"] == "policy_denied" and r["stdout"] == "" and r["isolation"] is None


@pytest.mark.parametrize("key", ["agixt.execution.fallback_to_direct", "development.mock_execution"])
def test_running_outside_a_sandbox_or_making_up_results_is_refused(box, key):
    config = box.file("c.yaml", "".join("%s%s:%s\n" % ("  " * i, w, " true" if w == key.split(".")[-1] else "")
                                        for i, w in enumerate(key.split("."))))
    for words in (box.words("python", HELLO), ["--dry-run", *box.words("python", HELLO)],
                  ["--risk-level", "medium", "--", "/bin/true"]):
        box.agent("--config", config, *words).refused(2, key, str(config), "remedy: ")
    done = box.agent("profiles", "show", "high", "--config", config)
    assert done.code == 2 and key in done.words, done
    config.write_text(config.read_text().replace("true", "false"))
    assert box.agent("--config", config, *box.words("python", HELLO)).out == b"hello\n"


def test_the_level_of_a_run_that_asks_for_none(box):
    words = ["--language", "python", "--code", box.code(HELLO), "--json"]
    assert box.agent(*words).result["risk_level"] == "medium", "as shipped"
    for level in ("high", "low"):
        box.user_config({"sandbox": {"default_risk_level": level}})
        assert box.agent(*words).result["risk_level"] == level


def test_resources_of_a_level_by_configuration_and_options_over_them(box):
    box.user_config({"sandbox": {"resources": {"medium_risk": {"memory": "200m", "cpu": 0.3, "timeout": 33},
                                               "low_risk": {"memory": "99m"}}}})
    limits = box.json("python", HELLO)["isolation"]["limits"]
    assert (limits["memory_bytes"], limits["cpu"], limits["timeout_ms"]) == (200 * MIB, 0.3, 33000)
    limits = box.json("python", HELLO,
                      options=["--memory", "150MiB", "--cpu", "0.4", "--timeout", "12"])["isolation"]["limits"]
    assert (limits["memory_bytes"], limits["cpu"], limits["timeout_ms"]) == (150 * MIB, 0.4, 12000)
    assert box.json("python", HELLO, level="low")["isolation"]["limits"]["memory_bytes"] == 99 * MIB
    assert box.json("python", HELLO, level="high")["isolation"]["limits"]["memory_bytes"] == 128 * MIB


@pytest.mark.parametrize("text, bytes_",
                         [("100m", 100 * MIB), ("64MiB", 64 * MIB), ("67108864", 64 * MIB), ("1g", 1 << 30),
                          ("65536k", 64 * MIB)])
def test_sizes_may_be_written_in_many_ways(box, text, bytes_):
    assert box.command_json("/bin/true", options=["--memory", text])["isolation"]["limits"]["memory_bytes"] == bytes_


def test_a_language_that_is_disabled(box):
    box.user_config({"languages": {"python": {"enabled": False}}})
    box.run("python", HELLO).refused(123, "python", "disabled", "remedy: ", "languages.python.enabled")
    assert box.run("bash", "echo fine\n").out == b"fine\n"


def test_modules_and_commands_blocked_by_configuration(box):
    box.user_config({"languages": {"python": {"blocked_modules": {"medium_risk": ["json"]}},
                                   "bash": {"blocked_commands": {"medium_risk": ["sort"]}}}})
    assert "json" in box.run("python", "import json\n").words
    assert box.run("python", "import json\n", level="low").code == 0
    assert box.run("bash", "sort </dev/null && echo sorted\n").out == b""
    assert box.run("bash", "uniq </dev/null && echo fine\n").out == b"fine\n"


def test_compilation_forbidden_by_configuration(box):
    box.user_config({"languages": {"go": {"allow_compilation": False}}})
    """«false # Disable for high-risk»: at the other levels the profile says."""
    need_language("go")
    code, may = "package main\nfunc main() {}\n", {"execution.allow_compilation": True}
    assert box.run("go", code, level="low").code == box.run("go", code, level="medium").code == 0
    box.run("go", code, profile=box.derive("high", may)).refused(123, "languages.go.allow_compilation", "remedy: ")
    box.user_config({})
    assert box.run("go", code, profile=box.derive("high", may)).code == 0


def test_profiles_from_a_directory_of_ones_own(box):
    place = box.directory("profiles")
    box.derive("medium", name="my own", resources__memory="77m").rename(place / "medium-risk.yaml")
    box.user_config({"sandbox": {"paths": {"profiles_dir": str(place)}}})
    assert box.json("python", HELLO)["isolation"]["limits"]["memory_bytes"] == 77 * MIB
    assert box.json("python", HELLO,
                    level="high")["isolation"]["limits"][
                        "memory_bytes"] == 128 * MIB, "the installed one, where there is no own"


def test_a_changed_file_counts_at_the_next_run(box):
    profile = box.derive("medium", resources__memory="70m")
    words = ["--json", "--profile", profile, "--", "/bin/true"]
    memory = lambda: box.agent(*words).result["isolation"]["limits"]["memory_bytes"]
    assert (memory(), memory()) == (70 * MIB, 70 * MIB)  # the second from the cache
    profile.write_text(profile.read_text().replace("70m", "80m"))
    assert memory() == 80 * MIB
    config = box.dir / "config/sandbox-agent/config.yaml"
    box.user_config({"sandbox": {"resources": {"medium_risk": {"memory": "90m"}}}})
    assert memory() == 90 * MIB
    config.unlink()
    box.user_config({})
    assert memory() == 80 * MIB


def test_development_dry_run_by_configuration_runs_nothing(box):
    box.user_config({"development": {"dry_run": True}})
    done = box.run("python", "print('ran ' + 'it')\n")
    assert done.code == 0 and "ran it" not in done.text and "argv" in done.text and box.logs() == [], done


def test_development_debug_by_configuration(box):
    box.user_config({"development": {"debug": True}})
    done = box.run("python", HELLO)
    assert done.out == b"hello\n" and b"sandbox-agent: debug: launch" in done.err, done


# ---- signals to the command line ----

SLEEPER = "import time\nprint('ready', flush=True)\ntime.sleep(300)\n"
FORKER = "sleep 300 & sleep 301 & (sleep 302; echo never) & echo ready; wait\n"


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"])
@pytest.mark.parametrize("language, code", [("python", SLEEPER), ("bash", FORKER)])
def test_a_signal_to_the_command_line_ends_the_run_and_leaves_nothing(box, name, language, code):
    live = box.live(language, code)
    launcher, inside = live.launcher, live.inside
    assert inside
    live.process.send_signal(getattr(signal, name))
    done = live.finish(patience=30)
    # a shell ends its loop only when its child died by SIGINT; for the others it is the contract's code for «ended from
    # outside»
    assert done.code == (-signal.SIGINT if name == "SIGINT" else 137), done
    assert b"never" not in done.out
    assert not poll(lambda: [p for p in inside if os.path.exists("/proc/%d" % p) and launcher in _ancestors(p)])
    assert not poll(lambda: cgroup_dirs(launcher))
    (log,) = box.logs()
    assert summary(log)[1]["Reason"] == "killed"


def _ancestors(pid):
    found = []
    while pid > 1:
        try:
            with open("/proc/%d/stat" % pid) as f:
                pid = int(f.read().rpartition(")")[2].split()[1])
        except OSError:
            break
        found.append(pid)
    return found


def test_an_interrupted_run_tells_its_result_as_json(box):
    live = box.start("--json", *box.words("python", SLEEPER))
    assert not poll(lambda: not (len(descendants(live.process.pid)) >= 3))
    time.sleep(0.1)  # wherever the run is by now
    live.process.send_signal(signal.SIGINT)
    done = live.finish(patience=30)
    assert done.code == -signal.SIGINT and done.result["reason"] == "killed", done


@pytest.mark.parametrize("ms", [*range(0, 120, 12), 200])
@pytest.mark.parametrize("words",
                         [["--language", "python", "-c", "import time; time.sleep(60)"],
                          ["--language", "bash", "--agent-id", "a", "-c", "sleep 60"]],
                         ids=["anonymous", "known"])
def test_an_interrupt_at_any_time_after_the_start_ends_us_as_any_other_tool(box, words, ms):
    """As a terminal does it: every process of the group gets it, wherever each of them is by now."""
    live = box.start("--json", "--risk-level", "medium", *words, start_new_session=True)
    time.sleep(ms / 1000)
    os.killpg(live.process.pid, signal.SIGINT)
    done = live.finish(patience=30)
    assert done.code == -signal.SIGINT and done.err == b"", done
    if done.out:  # later than our own start
        assert (done.result["reason"], done.result["error"]) == ("killed", None), done


def test_a_loop_in_a_shell_ends_at_an_interrupt(box):
    script = ("for i in 1 2 3; do echo round $i; %s --risk-level medium --language python --code %s; done; "
              "echo went on" % (AGENT, box.code(SLEEPER)))
    shell = subprocess.Popen(["bash", "-c", script], env=box.env, cwd=box.cwd, stdout=subprocess.PIPE,
                             start_new_session=True)
    box.processes.append(shell)
    assert shell.stdout.readline() == b"round 1\n" and shell.stdout.readline() == b"ready\n"
    os.killpg(shell.pid, signal.SIGINT)
    assert shell.stdout.read() == b""
    assert shell.wait(timeout=30) == -signal.SIGINT


@pytest.mark.parametrize("language, words",
                         [("python", ["--code", "-"]), ("command", ["--stdin", "-", "--", "/bin/cat"])])
def test_an_interrupt_ends_us_while_input_is_awaited(box, language, words):
    live = box.start("--risk-level", "medium", *([] if language == "command" else ["--language", language]), *words,
                     stdin=subprocess.PIPE)
    time.sleep(0.3)
    live.process.send_signal(signal.SIGINT)
    assert live.process.wait(timeout=30) == -signal.SIGINT


def test_a_hangup_that_the_caller_ignores_does_not_end_the_run(box):
    """nohup"""
    live = box.live("bash", "echo ready; read a; echo \"got $a\"\n", options=["--stdin", "-"], stdin=subprocess.PIPE,
                    preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    live.process.send_signal(signal.SIGHUP)
    time.sleep(0.2)
    live.process.stdin.write(b"on\n")
    live.process.stdin.flush()
    done = live.finish()
    assert (done.code, done.out) == (0, b"got on\n"), done


def test_an_output_file_that_is_a_fifo(box):
    os.mkfifo(box.dir / "copy")
    reader = subprocess.Popen(["cat", box.dir / "copy"], stdout=subprocess.PIPE)
    assert box.command("/bin/echo", "copied", options=["--output-file", box.dir / "copy"]).code == 0
    assert reader.communicate(timeout=30)[0] == b"copied\n"
    box.command("/bin/echo", "x", options=["--output-file",
                                           box.dir / "copy"]).refused(2, "--output-file", "no program reads from it")


@pytest.mark.parametrize("victim", ["command line", "launcher", "init"])
def test_whoever_is_killed_nothing_remains(box, victim):
    live = box.live("bash", FORKER)
    launcher, init, inside = live.launcher, live.init, live.inside
    os.kill({"command line": live.process.pid, "launcher": launcher, "init": init}[victim], signal.SIGKILL)
    done = live.finish(patience=30)
    assert done.code == {"command line": -9, "launcher": 125, "init": 137}[victim], done
    assert not poll(lambda: [p for p in [init, *inside] if _is_alive(p)])
    if victim != "launcher":  # what a killed launcher leaves is swept by the next start
        assert not poll(lambda: cgroup_dirs(launcher))
    else:
        os.waitpid(launcher, 0)  # we are its reaper; the sweep leaves alone what belongs to a pid that exists
        assert box.command("/bin/true").code == 0
        assert not poll(lambda: cgroup_dirs(launcher))


def _is_alive(pid):
    try:
        with open("/proc/%d/stat" % pid) as f:
            return f.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_the_payload_that_is_killed_from_outside_is_a_signal(box):
    live = box.live("python", SLEEPER)
    os.kill(live.payload(), signal.SIGTERM)
    done = live.finish()
    assert done.code == 128 + signal.SIGTERM, done


def test_what_the_caller_ignored_or_limited_does_not_reach_inside(box):
    """nohup, a pipeline's ignored SIGPIPE, a mask: the program starts with the defaults."""
    def spoil():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1, signal.SIGTERM})
        os.umask(0o027)
        os.nice(5)
    done = box.command("/bin/sh", "-c", "grep -E 'Sig(Blk|Ign)' /proc/self/status; umask; touch /tmp/f && ls -l /tmp/f",
                       preexec_fn=spoil)
    assert done.out.count(b"\t0000000000000000\n") == 2 and b"0022\n" in done.out, done


# ---- other ----

def test_arguments_reach_the_program_as_they_are(box):
    nasty = ["a b", "", "*", "$HOME", "--json", "--", "ünï", "new\nline", "\\", "'\""]
    done = box.agent(*box.words("python", "import sys\nprint(sys.argv[1:])\n", level="low"), "--", *nasty)
    assert done.text == repr(nasty) + "\n", done
    done = box.command("/usr/bin/printf", "%s|", *nasty)
    assert done.text == "".join(n + "|" for n in nasty), done


def test_a_command_is_found_by_its_name_and_refused_where_there_is_no_shell_access(box):
    assert box.command("echo", "by name").out == b"by name\n"
    for level in LEVELS:
        done = box.command("/bin/true", level=level)
        assert done.code == (123 if level == "high" else 0), done
    box.command("/bin/true", level="high").refused(123, "execution.shell_access", "remedy: ")


def test_a_closed_standard_input_output_or_error_does_no_harm(box):
    for close in (0, 1, 2):
        done = box.command("/bin/sh", "-c", "echo out; echo err >&2; cat", preexec_fn=lambda: os.close(close))
        assert done.code in (0, 137), done  # an output nobody reads may end the run; it never hangs or crashes
        assert done.code >= 0


def test_it_runs_from_any_directory_and_with_an_empty_environment(box):
    if not is_root() and os.access("/var/log/sandbox", os.W_OK):
        skip("/var/log/sandbox is writable for this user, and this machine's own")
    done = subprocess.run([*own_places(), AGENT, "--risk-level", "medium", "--", "/bin/echo", "fine"], env={}, cwd="/",
                          stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=60)
    if is_root():
        assert (done.returncode, done.stdout) == (0, b"fine\n"), done
    else:  # no HOME: nowhere to write a log
        assert done.returncode == 125 and b"remedy" in done.stderr and done.stdout == b"", done


def test_small_limits_of_the_caller_are_survived_or_told(box):
    """A caller with few descriptors and no core files; and one that leaks descriptors to us."""
    def few():
        resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128))
    assert box.command("/bin/echo", "fine", preexec_fn=few).out == b"fine\n"

    def small(kib):
        resource.setrlimit(resource.RLIMIT_STACK, (kib << 10, kib << 10))
    box.command("/bin/echo", "fine", preexec_fn=lambda: small(128)).refused(125, "stack", "128 KiB", "256", "ulimit -s")
    assert box.command("/bin/echo", "fine", preexec_fn=lambda: small(256)).out == b"fine\n"
    r, w = os.pipe()
    os.set_inheritable(w, True)
    done = box.command("/bin/ls", "/proc/self/fd", pass_fds=[w])
    os.close(r)
    os.close(w)
    assert done.text.split() == ["0", "1", "2", "3"], done  # 3: ls's own


def test_many_runs_at_once(box):
    lives = [box.start("--json", *box.words("python", "print(%d)\n" % i)) for i in range(16)]
    assert [live.finish().result["stdout"] for live in lives] == ["%d\n" % i for i in range(16)]


def test_volumes_in_one_another_are_refused_before_anything_is_made(box):
    a, b = box.directory("a"), box.directory("b")
    for one, other in (("/data", "/data"), ("/data", "/data/in"), ("/data/in", "/data")):
        box.command("/bin/true", options=["--volume", "%s:%s" % (a, one), "--volume", "%s:%s" % (b, other)]).refused(
            2, "--volume %s:%s" % (b, other), "another volume, " + one, "remedy: ")
    box.command("/bin/true", options=["--volume", "%s:/data/." % a]).refused(2, "--volume", "INSIDE")
    assert box.command("/bin/true", options=["--volume", "%s:/data" % a, "--volume", "%s:/data2" % b]).code == 0


def test_rules_of_a_request_are_not_lost_on_an_engines_bridge(box):
    config = box.file("bridge.yaml",
                      "docker:\n  container:\n    accept_missing: [user_ns, network, landlock, seccomp]\n")
    for words in (["--no-network"], ["--allow", "example.org"], ["--deny", "example.org"]):
        done = box.agent("run", "--backend", "docker", "--config", config, "--risk-level", "low", *words, "--", "true")
        done.refused(2, words[0], "bridge", "--backend native")
