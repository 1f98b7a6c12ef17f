"""--tty: one run on a terminal. Ours becomes it while the program runs, and is what it was afterwards."""
import contextlib
import fcntl
import json
import os
import signal
import struct
import termios

import helpers
import pytest


@pytest.fixture
def terminal():
    """-> (the side of a person, the side that is standard input)"""
    main, inner = os.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("4H", 33, 99, 0, 0))
    yield main, inner
    os.close(main)
    os.close(inner)


def start(box, inner, *words, **more):
    return box.start("--tty", "--env", "PS1=$ ", *words, stdin=inner, **more)


def test_a_shell_has_job_control_sizes_and_its_exit_code(box, terminal):
    main, inner = terminal
    before = termios.tcgetattr(inner)
    live = start(box, inner, "--risk-level", "low", "--", "bash", "--norc")
    live.wait_for(b"$ ")
    os.write(main, b"stty size; cd /tmp; echo in $PWD\n")
    assert b"33 99" in live.wait_for(b"in /tmp\r\n")
    os.write(main, b"sh -c 'echo u''p; exec sleep 1000'\n")
    live.wait_for(b"up\r\n")
    os.write(main, b"\x1a")  # ^Z: the shell takes its terminal back
    live.wait_for(b"Stopped")
    os.write(main, b"fg\n")
    live.wait_for(b"exec sleep 1000'\r\n")
    os.write(main, b"\x03")
    live.wait_for(b"^C")
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("4H", 44, 111, 0, 0))
    live.process.send_signal(signal.SIGWINCH)  # it is not its controlling terminal, so the kernel tells it nothing
    assert not helpers.poll(lambda: os.write(main, b"stty size\n") and b"44 111" not in live.wait_for(b"$ "), 60)
    os.write(main, b"exit 7\n")
    assert live.finish().code == 7
    assert termios.tcgetattr(inner) == before


def test_a_signal_ends_it_and_the_terminal_is_what_it_was(box, terminal):
    main, inner = terminal
    before = termios.tcgetattr(inner)
    live = start(box, inner, "--risk-level", "low", "--", "sh", "-c", "echo up; exec sleep 1000")
    live.wait_for(b"up")
    assert termios.tcgetattr(inner) != before
    live.process.send_signal(signal.SIGTERM)
    assert live.finish().code == 137
    assert termios.tcgetattr(inner) == before


def test_the_terminal_inside_is_another_one_than_ours(box, terminal):
    """What the program does to it, and pushes into it, is its own."""
    main, inner = terminal
    before = termios.tcgetattr(inner)
    code = """import fcntl, os, termios
print([os.isatty(fd) for fd in (0, 1, 2)], os.getsid(0) == os.getpid())
try:
    fcntl.ioctl(0, termios.TIOCSTI, b"x")
except OSError as e:
    print("push:", e.strerror)
"""
    live = start(box, inner, *box.words("python", code, "low"))
    done = live.finish()
    assert done.out.startswith(b"[True, True, True] True\r\n") and b"push: Operation not permitted" in done.out, done
    assert termios.tcgetattr(inner) == before
    os.set_blocking(main, False)
    with contextlib.suppress(BlockingIOError):
        assert not os.read(main, 100)  # nothing was written to ours


@pytest.mark.parametrize("words, why", [(["--stdin", "/dev/null"], "--stdin"), (["--backend", "docker"], "native")])
def test_what_does_not_go_with_it(box, terminal, words, why):
    start(box, terminal[1], *words, "--risk-level", "low", "--", "true").finish().refused(2, "--tty", why)


def test_json_keeps_the_output_to_itself(box, terminal):
    done = start(box, terminal[1], "--json", "--risk-level", "low", "--", "true").finish()
    assert done.code == 2 and json.loads(done.out)["error"]["message"].startswith("--tty: --json"), done


def test_without_a_terminal_it_is_refused(box):
    box.agent("--tty", "--risk-level", "low", "--", "true").refused(2, "--tty", "no terminal")


def test_what_is_typed_earns_no_trust(box, terminal):
    done = start(box, terminal[1], "--risk-level", "low", "--agent-id", "typist", "--", "true").finish()
    assert done.code == 0, done
    shown = box.agent("agents", "show", "typist", "--json").out
    assert b'"trust":0.5' in shown.replace(b" ", b""), shown
