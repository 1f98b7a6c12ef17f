"""The command line in the sandboxes of this user's service (run/lend.h, docs/warm.md), and direct where it must be."""
import ctypes
import json
import os
import pathlib
import resource
import shutil
import signal
import socket
import stat
import struct
import subprocess
import tempfile
import time

import helpers
import load
import pytest
from service import Service

AGENT = helpers.PREFIX / "bin/sandbox-agent"
SAME = ("reason", "exit_code", "signal", "stdout", "stderr", "error", "violations", "limits", "risk_level", "files")
only_users = pytest.mark.skipif(helpers.is_root(), reason="root's service is another user's: its runs are direct")


@pytest.fixture(scope="module")
def service():
    with Service({**load.UNLIMITED, "warm": {"enabled": True}}) as s:
        yield s


def environment(service):
    """The command line's: the service's own, but another configuration, and so another log and state."""
    return {**service.env, "HOME": str(service.dir / "home")}


def run(service, *words, **more):
    more = {"stdin": subprocess.DEVNULL, "timeout": 120, "cwd": service.dir / "home", **more}
    return subprocess.run([AGENT, *map(str, words)], capture_output=True, env=environment(service), **more)


def result(service, *words, **more):
    done = run(service, "--json", *words, **more)
    return json.loads(done.stdout or done.stderr)


def prepared(service, *words, **more):
    return result(service, *words, **more)["isolation"]["prepared"]


def is_lent(service, *words, **more):
    """A second run finds what the service's launcher kept of the first one's sandbox."""
    return any([prepared(service, *words, "--", "true", **more) != "cold" for _ in range(3)])


def lends(service):
    return service.dir / "run" / "sandbox-agent-lends"


@only_users
def test_it_is_the_same_to_the_byte(service, tmp_path):
    (tmp_path / "given").write_text("given\n")
    assert stat.S_IMODE(lends(service).stat().st_mode) == 0o600
    cases = [
        (["--", "sh", "-c", "echo out; echo err >&2; exit 7"], b""),
        (["--stdin", "-", "--language", "python", "-c", "import sys\nprint(sys.stdin.read().upper())"],
         b"typed\n" * 9000),
        (["--", "sh", "-c", "kill -SEGV $$"], b""),
        (["--timeout", "1", "--", "sleep", "60"], b""),
        (["--volume", "given:/in/given:ro", "--", "sh", "-c", "cat /in/given; echo x > /in/given"], b""),
        (["--language", "bash", "-c", "echo $0; head -c 100000 /dev/zero | wc -c"], b""),
        (["--language", "python", "-c", "import socket"], b""),
        (["--", "no-such-program"], b""),
        (["--tty", "--", "true"], b""),
    ]
    for words, given in cases:
        more = {"input": given, "stdin": None, "cwd": tmp_path}
        lent, direct = run(service, *words, **more), run(service, "--direct", *words, **more)
        assert (lent.returncode, lent.stdout, lent.stderr) == (direct.returncode, direct.stdout, direct.stderr), words
        lent, direct = result(service, *words, **more), result(service, "--direct", *words, **more)
        for r in (lent, direct):
            for violation in r["violations"]:
                violation.pop("at_ms")
        for key in SAME:
            assert lent.get(key) == direct.get(key), (words, key)
        assert lent["isolation"].keys() == direct["isolation"].keys() if lent["isolation"] else not direct["isolation"]


@only_users
def test_a_run_gets_what_waits_for_its_agent_and_no_other(service):
    python = ["--language", "python", "-c", "print(1)"]

    def is_cold():
        return prepared(service, "--agent-id", "first", *python) not in ("forked", "parked")
    assert not helpers.poll(is_cold, 30), "no run found an interpreter that waited"
    assert prepared(service, "--agent-id", "second", *python) == "cold"
    assert prepared(service, "--direct", "--agent-id", "first", *python) == "cold"
    told = run(service, "--agent-id", "first", *python)
    assert (told.returncode, told.stdout, told.stderr) == (0, b"1\n", b"")
    listed = service.request("GET", "/executions?limit=100").json()
    assert listed["executions"] == [], "the records are the command line's"
    home = service.dir / "home"
    assert b"first" in run(service, "audit", "search", "--agent", "first").stdout, list(home.rglob("*.jsonl"))


@only_users
def test_other_surroundings_are_direct(service):
    assert is_lent(service)

    libc = ctypes.CDLL(None)
    others = {  # what a launcher takes over from who starts it
        "limit": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 40, 1 << 40)),
        **({"priority": lambda: os.nice(1)} if os.nice(0) < 19 else {}),
        "policy": lambda: os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0)),
        "io": lambda: libc.syscall({"x86_64": 251}.get(os.uname().machine, 30), 1, 0, 3 << 13),
        "timer slack": lambda: libc.prctl(29, ctypes.c_ulong(10 ** 6), 0, 0, 0),
        "no huge pages": lambda: libc.prctl(41, 1, 0, 0, 0),
        "ended first": lambda: open("/proc/self/oom_score_adj", "w").write("500"),
    }
    for what, change in others.items():
        assert not is_lent(service, preexec_fn=change), what
    assert not is_lent(service, "--direct")
    if subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode:
        helpers.skip("no user namespaces here: another mount namespace was not tried")
    done = subprocess.run(["unshare", "-cm", AGENT, "--json", "--", "true"], capture_output=True,
                          env=environment(service), stdin=subprocess.DEVNULL, timeout=120)
    assert json.loads(done.stdout)["isolation"]["prepared"] == "cold", done


def in_a_landlock_domain():
    libc = ctypes.CDLL(None)
    libc.prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
    fd = libc.syscall(444, struct.pack("QQ", 0, 1), 16, 0)  # TCP ports may not be bound
    assert fd >= 0 and libc.syscall(446, fd, 0) == 0


@only_users
def test_a_landlock_domain_is_other_surroundings(make_service):
    """Which no file in /proc tells of: all that can be compared is the same as the service's."""
    if ctypes.CDLL(None).syscall(444, None, 0, 1) < 4:
        helpers.skip("no Landlock that refuses ports")
    service = make_service(load.UNLIMITED, start=False)
    words = service.words
    service.words = lambda: ["setpriv", "--no-new-privs", *words()]
    service.start()
    assert is_lent(service, preexec_fn=lambda: ctypes.CDLL(None).prctl(38, 1, 0, 0, 0))
    assert not is_lent(service, preexec_fn=in_a_landlock_domain)
    service.stop()
    service.words = lambda: ["choom", "-n", "200", "--", *words()]  # as systemd's user manager has it
    service.start()
    assert is_lent(service), "one that the kernel would end sooner than the login is no weaker"


@only_users
def test_signals_end_what_runs(service):
    codes = {}
    for number, how in ((n, h) for n in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) for h in ((), ("--direct",))):
        p = subprocess.Popen([AGENT, *how, "--", "sh", "-c", "echo up; exec sleep 600"], stdout=subprocess.PIPE,
                             env=environment(service), stdin=subprocess.DEVNULL)
        assert p.stdout.readline() == b"up\n"
        p.send_signal(number)
        codes.setdefault(number, set()).add(p.wait(60))
    assert all(len(c) == 1 for c in codes.values()), codes
    p = subprocess.Popen([AGENT, "--", "sh", "-c", "echo up; exec sleep 601"], stdout=subprocess.PIPE,
                         env=environment(service), stdin=subprocess.DEVNULL)
    assert p.stdout.readline() == b"up\n"
    p.kill()  # without a word
    p.wait()
    assert not helpers.poll(lambda: service.pids("sleep"), 60), "what a killed command line ran goes on"


@only_users
def test_a_service_that_ends_waits_and_one_that_dies_is_told(make_service):
    service = make_service(load.UNLIMITED)
    words = [AGENT, "--json", "--", "sh", "-c", "echo up; until [ -e /in/go ]; do sleep 0.02; done"]
    gate = service.directory("gate")
    words[2:2] = ["--volume", "%s:/in:ro" % gate]
    more = {"stdout": subprocess.PIPE, "env": environment(service), "stdin": subprocess.DEVNULL}
    run_of_user = subprocess.Popen(words, **more)
    assert not helpers.poll(lambda: not service.pids("sh"), 60)
    service.signal(signal.SIGTERM)
    service.wait_log("ending")
    assert not helpers.poll(lambda: lends(service).exists(), 60), "it lends while it ends"
    assert run(service, "--", "true").returncode == 0, "direct, then"
    (gate / "go").touch()
    assert json.loads(run_of_user.communicate(timeout=60)[0])["reason"] == "completed"
    assert service.wait() == 0
    service.start()
    (gate / "go").unlink()
    run_of_user = subprocess.Popen(words, **more)
    assert not helpers.poll(lambda: not service.pids("sh"), 60)
    service.kill9()
    told = json.loads(run_of_user.communicate(timeout=60)[0])
    assert told["reason"] == "sandbox_error" and "died" in told["error"]["message"], told
    assert lends(service).exists() and run(service, "--", "true").returncode == 0, "what a dead one left is no service"
    service.start()
    assert is_lent(service), "the next one lends again"


@only_users
def test_who_only_holds_the_socket_stops_nobody(make_service):
    service = make_service(load.UNLIMITED)

    def stranger(data):
        s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        s.settimeout(60)
        s.connect(str(lends(service)))
        if data:
            s.send(data)
        return s
    for data in (b"x", b"\0" * 8000, b"yes", b"/work 1:2 3\n" * 100):
        with stranger(data) as s:
            assert s.recv(100) == b"", "who is not like the service is lent nothing"
    silent = [stranger(b"") for _ in range(64)]
    begin = time.monotonic()
    assert not is_lent(service), "there is no place"
    assert service.outside("GET", "/readyz").status_code == 200
    assert time.monotonic() - begin < 60
    for s in silent:
        s.close()
    assert is_lent(service)
    os.kill(service.process.pid, signal.SIGSTOP)
    try:
        assert run(service, "--", "true").returncode == 0, "nobody answers"
    finally:
        os.kill(service.process.pid, signal.SIGCONT)


@only_users
def test_what_lies_in_its_answer_is_direct(tmp_path):
    """Whoever listens there is the user's own program, but it may be broken."""
    ours, dead = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.close()  # of a launcher that has died meanwhile
    gone = "/proc/self/fd/%d" % dead.fileno()
    for words, fds in (([b"no"], []), ([b"yes"], []), ([b""], []), ([b"yes"], ["/dev/null"]), ([b"yes" * 9], []),
                       ([b"yes"], [gone])):
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        path = tmp_path / "sandbox-agent-lends"
        path.unlink(missing_ok=True)
        listener.bind(str(path))
        listener.listen(4)
        env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)}
        p = subprocess.Popen([AGENT, "--stdin", "-", "--", "cat"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             env=env, stdin=subprocess.PIPE)
        listener.settimeout(60)
        peer, _ = listener.accept()
        assert b"/sandbox-launcher" in peer.recv(8192)
        opened = [os.dup(dead.fileno()) if f == gone else os.open(f, os.O_RDONLY) for f in fds]
        for word in words:
            socket.send_fds(peer, [word], opened)
        out, err = p.communicate(b"done\n", timeout=60)
        peer.close(), listener.close()
        for fd in opened:
            os.close(fd)
        assert (p.returncode, out, err) == (0, b"done\n", b""), (words, fds, out, err)


def surroundings(service, place):
    """What the command line says of itself, which is said of us as well."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(str(place / "sandbox-agent-lends"))
        listener.listen(1)
        listener.settimeout(60)
        p = subprocess.Popen([AGENT, "--", "true"], stdin=subprocess.DEVNULL,
                             env={**environment(service), "XDG_RUNTIME_DIR": str(place)})
        with listener.accept()[0] as peer:
            text = peer.recv(8192)
        assert p.wait(60) == 0
    return text


def recipe(data):
    fd = os.memfd_create("recipe")
    os.write(fd, data)
    return fd


@only_users
def test_a_wish_that_makes_no_sense_is_not_granted(service, tmp_path):
    text = surroundings(service, tmp_path)
    os.mkfifo(tmp_path / "fifo")
    file = tmp_path / "file"
    file.write_bytes(b"x" * 100)
    kept = os.open(file, os.O_RDONLY), os.open(tmp_path / "fifo", os.O_RDWR), os.open("/dev/zero", os.O_RDONLY)
    huge, ours = recipe(b"x"), recipe(b"\0" * 100)
    os.truncate(huge, 1 << 40)
    before = len(os.listdir("/proc/%d/fd" % service.process.pid))
    wishes = [(20, fd) for fd in (*kept, huge, recipe(b""), os.open("/", os.O_RDONLY), os.open(file, os.O_PATH), None)]
    wishes += [(at, ours) for at in (0, 15, 101, 1 << 63, (1 << 64) - 1)] + [(20, ours), (100, ours)]
    for at, fd in wishes:
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as s:
            s.settimeout(60)
            s.connect(str(lends(service)))
            s.send(text)
            answer, fds, _, _ = socket.recv_fds(s, 100, 8)
            assert answer == b"yes" and len(fds) == 1
            socket.send_fds(s, [struct.pack("QQQQ", at, 1, 0, 1) + b"/" * 256], [] if fd is None else [fd])
            assert s.recv(100) == struct.pack("QQ", 0, 0), (at, fd)
            os.close(fds[0])
    for fd in {fd for _, fd in wishes if fd is not None}:
        os.close(fd)
    assert not helpers.poll(lambda: len(os.listdir("/proc/%d/fd" % service.process.pid)) > before, 60), "left open"
    assert service.process.poll() is None and is_lent(service)


@only_users
def test_what_lies_there_and_is_no_socket_stays(make_service):
    service = make_service(load.UNLIMITED, start=False)
    lends(service).write_text("of the user's own\n")
    service.start()
    assert lends(service).read_text() == "of the user's own\n" and not is_lent(service)


@only_users
def test_without_descriptors_it_does_not_spin(make_service):
    service = make_service(load.UNLIMITED)
    pid = service.process.pid

    def used():
        return sum(map(int, helpers.read("/proc/%d/stat" % pid).rpartition(")")[2].split()[11:13]))
    before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (3, before[1]))
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as s:
        s.connect(str(lends(service)))
        start, begin = used(), time.monotonic()
        time.sleep(0.6)
        busy, passed = (used() - start) / os.sysconf("SC_CLK_TCK"), time.monotonic() - begin
        resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
    assert busy < passed / 10, "a command line that waits costs %.2f of a processor" % (busy / passed)
    assert is_lent(service)


@pytest.mark.skipif(not helpers.is_root(), reason="a socket of another user's needs root")
def test_another_users_socket_is_told_nothing(request):
    """By root, as whom the command line asks nobody; and by an ordinary user, in whose directory root listens."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    top = pathlib.Path(tempfile.mkdtemp(prefix="test-lend-"))  # the user may enter it: not below root's own
    request.addfinalizer(lambda: shutil.rmtree(top))
    top.chmod(0o755)
    place = top / "run"
    place.mkdir(mode=0o700)
    listener.bind(str(place / "sandbox-agent-lends"))
    listener.listen(4)
    (place / "sandbox-agent-lends").chmod(0o777)
    home = top / "home"
    home.mkdir()
    for uid in (0, 61234):
        os.chown(place, uid, uid), os.chown(home, uid, uid)
        words = ["setpriv", "--reuid=%d" % uid, "--regid=%d" % uid, "--clear-groups", AGENT, "--", "true"]
        done = subprocess.run([*(helpers.own_places() if uid == 0 else []), *words], stdin=subprocess.DEVNULL,
                              timeout=120, capture_output=True,
                              env={"PATH": "/usr/bin:/bin", "HOME": str(home), "XDG_RUNTIME_DIR": str(place)})
        assert done.returncode == 0, done
        listener.settimeout(0.01 if uid == 0 else 10)
        if uid == 0:
            with pytest.raises(TimeoutError):
                listener.accept()
        else:
            with listener.accept()[0] as peer:
                assert peer.recv(8192) == b"", "it looked at who listens before it said a word"
    listener.close()
