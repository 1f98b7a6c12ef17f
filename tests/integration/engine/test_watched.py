"""What a program in a container asks of the kernel is seen and judged as natively: violations, kill switches, what is refused."""
import pytest

from engine.backend import Cell

FREE = {"languages.python.blocked_modules": [], "languages.python.allowed_modules": "all",
        "languages.python.restricted": False}
PROBE = """import ctypes, os, platform
libc = ctypes.CDLL(None, use_errno=True)
ctypes.set_errno(0)
r = libc.%s
print(r, os.strerror(ctypes.get_errno()))
"""
# A call, and the violation that a profile without kill switches tells of it.
CALLS = {
    "mount": ("mount(b'none', b'/tmp', b'tmpfs', 0, None)", "privilege_escalation_attempt"),
    "unshare": ("unshare(0x10000000)", "privilege_escalation_attempt"),
    "setns": ("setns(0, 0)", "privilege_escalation_attempt"),
    "chroot": ("chroot(b'/')", "privilege_escalation_attempt"),
    "mknod": ("mknod(b'/tmp/sda', 0o60660, 0x800)", "privilege_escalation_attempt"),
    "ptrace": ("ptrace(16, 1, 0, 0)", "privilege_escalation_attempt"),
    "bpf": ("syscall(321, 0, 0, 0)", "suspicious_syscalls"),
    "userfaultfd": ("syscall(323, 0)", "suspicious_syscalls"),
    "keyctl": ("syscall(250, 0, 0)", "suspicious_syscalls"),
    "kexec_load": ("syscall(246, 0, 0, 0, 0)", "suspicious_syscalls"),
    "init_module": ("syscall(175, 0, 0, 0)", "suspicious_syscalls"),
}


@pytest.fixture
def cell(box, engine):
    return Cell(box, engine)


def seen(result):
    return {v["type"] for v in result["violations"]}


@pytest.mark.parametrize("call", CALLS)
def test_a_call_is_answered_and_told_as_natively(cell, call):
    text, kind = CALLS[call]
    profile = cell.box.derive("medium", FREE, kill_switches=[])
    native, container = [cell.json("python", PROBE % text, profile=profile, options=["--backend", backend])
                         for backend in ("native", "docker")]
    assert container["stdout"] == native["stdout"] and native["stdout"].startswith("-1 "), (native, container)
    assert seen(container) == seen(native) == {kind}, (native["violations"], container["violations"])
    assert not any("monitoring" in m or "kill_switches" in m for m in container["isolation"]["missing"]), container


def test_a_signal_for_the_first_program_is_told(cell):
    r = cell.json("python", PROBE % "kill(1, 15)", profile=cell.box.derive("medium", FREE, kill_switches=[]))
    assert r["reason"] == "completed" and seen(r) == {"suspicious_syscalls"}, r


@pytest.mark.parametrize("call", ["mount", "bpf"])
def test_a_kill_switch_ends_the_run(cell, call):
    text, kind = CALLS[call]
    r = cell.json("python", PROBE % text + "import time\ntime.sleep(600)\n",
                  profile=cell.box.derive("medium", FREE, kill_switches=[kind]))
    assert (r["reason"], r["kill_switch"]) == ("killed", kind) and seen(r) == {kind}, r
    assert not cell.left(r)


def test_honest_programs_are_not_accused(cell):
    code = """import subprocess, threading, os, tempfile, socket
print(subprocess.run(["/bin/echo", "hello"], capture_output=True, text=True).stdout.strip())
threads = [threading.Thread(target=len, args=([],)) for i in range(3)]
[t.start() for t in threads], [t.join() for t in threads]
with tempfile.TemporaryFile() as f: f.write(b"x" * 100000)
a, b = socket.socketpair(); a.send(b"1"); print(b.recv(1), os.getuid() != 0)
"""
    r = cell.json("python", code, profile=cell.box.derive("medium", FREE))
    assert (r["reason"], r["stdout"]) == ("completed", "hello\nb'1' True\n") and r["violations"] == [], r
