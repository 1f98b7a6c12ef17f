"""What a program writes reaches the caller as it is, when it is written, and never hurts anybody by being much."""
import hashlib
import os
import random
import signal
import subprocess
import time

import pytest
from helpers import LEVELS, MIB, children, exit_code, need_language, poll, read

ALL_BYTES = bytes(range(256))


def python(box, level="medium", **more):
    """A profile that lets Python use os and sys freely."""
    return box.derive(level, {"languages.python.blocked_modules": [], "languages.python.allowed_modules": "all",
                              "languages.python.restricted": False}, **more)


# ---- byte for byte ----

def test_stdout_and_stderr_are_not_mixed(box):
    code = "import os\nfor i in range(2000):\n    os.write(1, b'o%d\\n' % i)\n    os.write(2, b'e%d\\n' % i)\n"
    done = box.run("python", code, profile=python(box))
    assert done.out == b"".join(b"o%d\n" % i for i in range(2000))
    assert done.err == b"".join(b"e%d\n" % i for i in range(2000))
    r = box.json("python", code, profile=python(box))
    assert (r["stdout"].encode(), r["stderr"].encode()) == (done.out, done.err)


@pytest.mark.parametrize("stream", [1, 2])
def test_every_byte_passes(box, stream):
    code = "import os\nos.write(%d, bytes(range(256)) * 300)\n" % stream
    done = box.run("python", code, profile=python(box))
    assert (done.out, done.err)[stream - 1] == ALL_BYTES * 300
    assert (done.out, done.err)[2 - stream] == b""


def test_a_last_line_without_newline_stays_without(box):
    done = box.command("/usr/bin/printf", "no newline")
    assert done.out == b"no newline" and done.err == b""


def test_nothing_is_nothing(box):
    done = box.command("/bin/true")
    assert (done.out, done.err) == (b"", b"")


@pytest.mark.parametrize("megabytes", [1, 12])
def test_megabytes_are_byte_exact_on_both_streams(box, megabytes):
    source = random.Random(7).randbytes(megabytes * MIB)
    data = box.file("data.bin", source)
    done = box.command("/bin/sh", "-c", "cat /data.bin & cat /data.bin >&2; wait",
                       options=["--volume", "%s:/data.bin" % data])
    assert done.code == 0
    assert hashlib.sha256(done.out).digest() == hashlib.sha256(source).digest() and done.err == source


def test_the_log_holds_what_was_written(box):
    box.command("/bin/sh", "-c", "printf 'a\\000\\377'; printf b >&2")
    (log,) = box.logs()
    assert log.read_bytes().startswith((b"a\0\xffb", b"ba\0\xff"))


def test_large_json_output_is_exact(box):
    r = box.json("python", "print('ä€' * (1 << 19), end='')\n")
    assert r["stdout"] == "ä€" * (1 << 19) and not r["stdout_truncated"]


# ---- as it comes ----

def test_the_first_line_arrives_while_the_program_still_runs(box):
    live = box.live("bash", "echo first; echo warning >&2; read line; echo last\n", marker=b"first\n",
                    options=["--stdin", "-"], stdin=subprocess.PIPE)
    os.set_blocking(live.process.stderr.fileno(), False)
    assert not poll(lambda: not (live.process.stderr.read() or b"").startswith(b"warning\n"))
    assert live.process.poll() is None, "it waits for a line that only we can send"
    live.process.stdin.write(b"\n")
    live.process.stdin.close()
    live.process.stdin = None
    assert live.wait_for(b"last\n") == b"last\n"


def test_partial_lines_arrive_too(box):
    live = box.live("bash", "printf 'Name? '; read name; echo \"hello $name\"\n", marker=b"Name? ",
                    options=["--stdin", "-"], stdin=subprocess.PIPE)
    live.process.stdin.write(b"world\n")
    live.process.stdin.flush()
    assert live.wait_for(b"hello world\n")


def test_the_log_grows_with_the_run(box):
    box.live("bash", "echo ready; sleep 60\n")
    assert not poll(lambda: not (box.logs() and box.logs()[0].read_bytes() == b"ready\n"))


# ---- too much ----

@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_output_is_cut_at_max_output_and_the_program_goes_on(box, stream):
    profile = python(box, execution__max_output="64k")
    code = ("import sys, time\nout = sys.%s\nfor i in range(2000): out.write('%%05d' %% i + '.' * 94 + '\\n')\n"
            "out.flush()\n"
            "print('the end', file=sys.%s)\n" % (stream, "stderr" if stream == "stdout" else "stdout"))
    r = box.json("python", code, profile=profile)
    other = "stderr" if stream == "stdout" else "stdout"
    assert r["reason"] == "completed" and len(r[stream]) == 64 << 10 and r[stream].startswith("00000.")
    assert (r[stream + "_truncated"], r[other + "_truncated"], r[other]) == (True, False, "the end\n")
    assert [v["type"] for v in r["violations"]] == ["output_limit"]
    done = box.run("python", code, profile=profile)
    mine = done.out if stream == "stdout" else done.err
    assert done.code == 0 and mine.startswith(b"00000.")
    assert (stream + " was cut after 65536 bytes").encode() in done.err
    assert len(done.out if stream == "stdout" else done.err[:done.err.index(b"sandbox-agent: ")]) == 64 << 10


def test_output_of_exactly_the_maximum_is_not_cut(box):
    profile = python(box, execution__max_output="64k")
    for n, is_cut in ((65535, False), (65536, False), (65537, True)):
        r = box.json("python", "print('x' * %d, end='')\n" % n, profile=profile)
        assert (len(r["stdout"]), r["stdout_truncated"]) == (min(n, 65536), is_cut)


def test_a_cut_in_the_middle_of_a_character_is_still_json(box):
    r = box.json("python", "print('x' + 'ä' * 3000, end='')\n", profile=python(box, execution__max_output="4k"))
    assert r["stdout"] == "x" + "ä" * 2047 + "\ufffd" and r["stdout_truncated"]


@pytest.mark.parametrize("command",
                         [["/usr/bin/yes"], ["/bin/sh", "-c", "yes >&2"],
                          ["/bin/sh", "-c", "trap '' TERM; yes & yes >&2"], ["/bin/cat", "/dev/zero"]])
def test_endless_output_is_ended_and_costs_no_memory(box, command):
    profile = box.derive("medium", execution__max_output="256k", resources__cpu=1.0)
    with open(box.dir / "out.json", "wb") as out:  # a file: nobody reads while we watch
        live = box.start("--json", "--profile", profile, "--", *command, stdout=out)
    peak = 0
    while live.process.poll() is None:
        peak = max(peak, *(int(line.split()[1]) for line in read("/proc/%d/status" % live.process.pid).splitlines()
                           if line.startswith("VmHWM:")), 0)
        time.sleep(0.01)
    done = live.finish()
    done.out = (box.dir / "out.json").read_bytes()
    r = done.result
    assert (done.code, r["reason"]) == (137, "output_limit"), done
    assert max(len(r["stdout"]), len(r["stderr"])) == 256 << 10
    assert peak < 32 << 10, "%d KiB of the command line for 256 KiB of kept output" % peak
    done = box.agent("--profile", profile, "--", *command)
    assert done.code == 137 and b"endless output" in done.err and len(done.out) <= 256 << 10


def test_the_log_is_cut_with_the_output(box):
    box.agent("--profile", box.derive("medium", execution__max_output="16k"), "--", "/usr/bin/yes")
    (log,) = box.logs()
    assert 16 << 10 <= log.stat().st_size < 20 << 10


# ---- readers ----

def test_a_reader_that_leaves_ends_the_run(box):
    """`sandbox-agent ... | head -1`"""
    live = box.live("bash", "echo ready; while :; do echo more; sleep 0.02; done\n")
    live.process.stdout.close()
    live.process.stdout = None
    done = live.finish(patience=30)
    assert done.code in (137, 128 + signal.SIGPIPE), done


def test_a_slow_reader_gets_everything(box):
    total = 6 * MIB
    live = box.start("--risk-level", "medium", "--", "/usr/bin/head", "-c", str(total), "/dev/zero")
    got = 0
    time.sleep(0.3)  # by now every pipe on the way is full
    while chunk := live.process.stdout.read1(1 << 16):
        got += len(chunk)
        if got < MIB:
            time.sleep(0.02)
    assert got == total and live.finish().code == 0


def test_a_reader_that_does_not_read_does_not_suspend_the_deadline(box):
    live = box.start("--risk-level", "medium", "--timeout", "1", "--", "/usr/bin/yes")
    inside = poll(lambda: not _inside(live)) or _inside(live)
    assert not poll(lambda: [p for p in _inside(live)],
                    patience=20), "the program outlives its deadline because nobody reads"
    assert live.finish().code in (124, 137)
    assert inside is not None


def _inside(live):
    launchers = children(live.process.pid)
    return [p for l in launchers for i in children(l) for p in children(i)]


def test_a_program_that_closes_its_outputs_and_goes_on(box):
    r = box.json("bash", "echo early; exec >&- 2>&-; sleep 0.5; exit 6\n")
    assert (r["reason"], r["exit_code"], r["stdout"]) == ("error", 6, "early\n")


def test_a_child_that_keeps_the_pipe_open_does_not_hold_up_the_end(box):
    """When the program ends, its sandbox ends, with everybody in it."""
    r = box.json("bash", "sleep 300 & disown; (setsid sleep 301 &) ; echo done; exit 0\n")
    assert (r["reason"], r["stdout"]) == ("completed", "done\n") and r["duration_ms"] < 30000


def test_what_children_wrote_before_the_end_is_kept(box):
    done = box.command("/bin/sh", "-c", "(echo from the child) & wait; exit 0")
    assert done.out == b"from the child\n"


@pytest.mark.parametrize("level", LEVELS)
def test_one_megabyte_at_every_level(box, level):
    done = box.run("python", "print('0123456789abcde\\n' * 65536, end='')\n", level=level)
    assert done.out == b"0123456789abcde\n" * 65536 and done.code == 0


def test_output_to_a_full_device_is_told(box):
    with open("/dev/full", "w") as full:
        live = box.start("--risk-level", "medium", "--", "/bin/echo", "lost", stdout=full)
        done = live.finish(patience=30)
    assert done.code == 125 and b"No space left on device" in done.err, done.err


def test_a_non_blocking_output_loses_nothing(box):
    r, w = os.pipe()
    os.set_blocking(w, False)
    live = box.start("--risk-level", "medium", "--", "/usr/bin/head", "-c", "1000000", "/dev/zero", stdout=w)
    os.close(w)
    got = 0
    while chunk := os.read(r, 4096):
        got += len(chunk)
    os.close(r)
    live.process.stdout = None
    assert got == 1000000 and live.finish().code == 0


def test_json_and_the_exit_code_say_the_same_when_output_was_limited(box):
    profile = box.derive("medium", execution__max_output="4k")
    done = box.agent("--json", "--profile", profile, "--", "/usr/bin/yes")
    assert done.code == exit_code(done.result) == 137


def test_node_output_to_a_pipe_is_complete(box):
    """Node writes to pipes asynchronously; nothing may be missing at exit."""
    need_language("node")
    done = box.run("node", "for (let i = 0; i < 20000; i++) console.log('line ' + i); console.error('done');\n")
    assert done.out == b"".join(b"line %d\n" % i for i in range(20000)) and done.err == b"done\n", done.code


@pytest.mark.parametrize("option, what", [("--json", b"the result"), ("--dry-run", b"the plan")])
def test_a_result_that_a_full_disk_swallows_is_told(box, option, what):
    with open("/dev/full", "w") as full:
        live = box.start("--risk-level", "medium", option, "--", "/bin/true", stdout=full)
        done = live.finish(patience=30)
    assert done.code == 125 and what + b" cannot be written: No space left on device" in done.err, done.err


def test_an_output_file_that_could_not_take_everything_is_named(box):
    for options in ([], ["--json"]):
        done = box.command("/bin/echo", "kept", options=["--output-file", "/dev/full", *options])
        assert done.code == 0 and "--output-file /dev/full could not take everything" in done.words, done
        assert "log could not" not in done.words and b"kept" in done.out, done
