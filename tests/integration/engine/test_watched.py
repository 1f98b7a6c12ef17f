"""What a program in a container asks of the kernel is seen and judged as natively"""
import platform
import socket

import pytest

from engine.backend import Cell
from engine.liar import Liar

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


def test_many_refused_calls_are_all_answered(cell):
    """More than a native sandbox gets at once (src/notify/pace.h): in a container they are charged to the program."""
    code = "import ctypes\nlibc = ctypes.CDLL(None)\nfor i in range(9000): libc.unshare(0x10000000)\nprint('done')\n"
    r = cell.json("python", code, profile=cell.box.derive("medium", FREE, kill_switches=[], resources__timeout=200))
    assert (r["reason"], r["stdout"]) == ("completed", "done\n"), r


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


def test_a_profile_that_kills_does_so_as_natively(cell):
    profile = cell.box.derive("medium", FREE, security__seccomp_kill=True)
    for backend in ("native", "docker"):
        r = cell.json("python", PROBE % CALLS["mount"][0], profile=profile, options=["--backend", backend])
        assert (r["reason"], r["signal"]) == ("signal", 31), r


# ---- x32, int 0x80 ----

FOREIGN = """import ctypes, mmap, os
libc = ctypes.CDLL(None, use_errno=True)
print(libc.syscall(0x40000000 | 39), os.strerror(ctypes.get_errno()), flush=True)
m = mmap.mmap(-1, 4096, prot=7)
m.write(b"\\xb8\\x14\\x00\\x00\\x00\\xcd\\x80\\xc3")  # mov eax, 20 (getpid); int 0x80; ret
print(ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))())
"""


@pytest.mark.skipif(platform.machine() != "x86_64", reason="calls of x86")
def test_calls_of_other_architectures_are_absent_as_natively(cell):
    profile = cell.box.derive("medium", FREE)
    for backend in ("native", "docker"):
        r = cell.json("python", FOREIGN, profile=profile, options=["--backend", backend])
        assert (r["reason"], r["stdout"]) == ("completed", "-1 Function not implemented\n-38\n"), r


# ---- sockets of the host in a volume ----

CONNECTS = """import os, socket, sys, tempfile
def reach(path, kind=socket.SOCK_STREAM):
    try:
        with socket.socket(socket.AF_UNIX, kind) as s:
            s.connect(path)
            return "connected"
    except OSError as e:
        return os.strerror(e.errno)
print("volume:", reach("/data/host"))
os.symlink("/data/host", "/tmp/link")
print("link:", reach("/tmp/link"))
os.chdir("/data")
print("relative:", reach("host"))
print("datagram:", reach("/data/host", socket.SOCK_DGRAM))
print("absent:", reach("/data/nothing"))
with socket.socket(socket.AF_UNIX) as own:
    own.bind("/tmp/own")
    own.listen()
    print("own:", reach("/tmp/own"))
with socket.socket(socket.AF_UNIX) as own:
    own.bind("\\0abstract")
    own.listen()
    print("abstract:", reach("\\0abstract"))
"""
REFUSED = ("volume: Permission denied\nlink: Permission denied\nrelative: Permission denied\n"
           "datagram: Permission denied\n"
           "absent: No such file or directory\nown: connected\nabstract: connected\n")


@pytest.fixture
def host_socket(box):
    """-> (directory, a server's socket in it): everybody may connect"""
    place = box.directory("data", 0o777)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(place / "host"))
        (place / "host").chmod(0o777)
        server.listen(64)
        yield place, server


def was_reached(server):
    server.setblocking(False)
    try:
        server.accept()[0].close()
        return True
    except BlockingIOError:
        return False


@pytest.mark.parametrize("mode", ["ro", "rw"])
def test_sockets_of_the_host_in_a_volume_are_refused_as_natively(cell, host_socket, mode):
    place, server = host_socket
    profile = cell.box.derive("medium", FREE, filesystem__allowed_mounts=[str(place)])
    for backend in ("native", "docker"):
        r = cell.json("python", CONNECTS, profile=profile,
                      options=["--backend", backend, "--volume", "%s:/data:%s" % (place, mode)])
        assert r["stdout"] == REFUSED and not was_reached(server), r
        assert not any(m.startswith("volumes:") for m in r["isolation"]["missing"]), r


# ---- on the engine's bridge ----

CONNECTIONS = """import socket
with socket.socket() as s:
    print(s.connect_ex(("127.0.0.1", 9)))
with socket.create_server(("127.0.0.1", 7007)) as server:
    with socket.create_connection(server.getsockname()) as s: print("connected")
"""


@pytest.mark.parametrize("has_volume", [False, True], ids=["continued", "performed"])
def test_connections_on_the_bridge_are_told_with_their_addresses(cell, has_volume):
    place = cell.box.directory("data", 0o777)
    profile = cell.box.derive("low", filesystem__allowed_mounts=[str(place)], logging__audit_syscalls=True)
    r = cell.json("python", CONNECTIONS, profile=profile,
                  options=["--volume", "%s:/data:ro" % place] if has_volume else [])
    assert (r["reason"], r["stdout"]) == ("completed", "111\nconnected\n") and r["violations"] == [], r
    told = [(c["address"], c["port"], c["protocol"]) for c in r["activity"]["connections"]]
    assert told == [("127.0.0.1", 9, "tcp"), ("127.0.0.1", 7007, "tcp")], r["activity"]


# ---- where the filter that asks cannot be had ----

class Once:
    """Engine's own filter in place of ours in the first container."""
    def __init__(self):
        self.count = 0

    def __call__(self, body):
        self.count += 1
        if self.count == 1:
            host = body["HostConfig"]
            host["SecurityOpt"] = [o for o in host["SecurityOpt"] if not o.startswith("seccomp=")]


def test_a_container_in_which_nothing_can_be_asked_is_made_anew_and_the_result_says_so(box, docker, host_socket):
    place, server = host_socket
    cell, change = Cell(box, docker), Once()
    accepted = ["user_ns", "network", "kill_switches", "monitoring"]
    with Liar(docker, change) as liar:
        cell.configure(socket=liar.socket, docker__container__accept_missing=accepted)
        profile = box.derive("medium", FREE, filesystem__allowed_mounts=[str(place)])
        r = cell.json("python", PROBE % CALLS["mount"][0] + CONNECTS, profile=profile,
                      options=["--volume", "%s:/data:ro" % place])
    assert change.count == 2 and r["reason"] == "completed", r
    assert r["stdout"].startswith("-1 Operation not permitted\nvolume: connected\n") and was_reached(server), r
    assert r["violations"] == [], r
    for word in ("kill_switches: no system call is watched", "monitoring: no system call is watched", "volumes: "):
        assert any(m.startswith(word) for m in r["isolation"]["missing"]), r["isolation"]
    assert not cell.left(r)
