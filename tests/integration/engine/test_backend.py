"""The docker backend's promises through the command line: streams, endings, security inside, and that nothing is left
after."""
import hashlib
import json
import os
import pathlib
import random
import signal
import subprocess
import time

import pytest
from helpers import LIBEXEC, MIB, copy_installation, poll, read

from engine import engines
from engine.backend import EXECUTION, OWNER, Cell, engine_process
from engine.liar import Liar

FREE = {"languages.python.blocked_modules": [], "languages.python.allowed_modules": "all",
        "languages.python.restricted": False}


@pytest.fixture
def cell(box, engine):
    return Cell(box, engine)


def free(cell, **more):
    """A profile that lets Python use os and sys."""
    return cell.box.derive("medium", FREE, **more)


# ---- endings, and nothing after them ----

def test_each_ending_has_its_reason_and_leaves_nothing(cell):
    eat = free(cell, resources__memory="64m", resources__timeout=90)
    slow = free(cell, resources__timeout=2)
    few = free(cell, resources__pids=6, execution__max_processes=6, resources__timeout=90)
    forks = ("import os, time\nfor i in range(50):\n    try:\n        if os.fork() == 0: time.sleep(5)\n"
             "    except OSError: os._exit(9)\n")
    ended = {"completed": cell.json("python", "print('fine')\n"),
             "error": cell.json("python", "raise SystemExit(3)\n"),
             "signal": cell.json("python", "import os\nos.kill(os.getpid(), 11)\n", profile=eat),
             "timeout": cell.json("bash", "echo begun; while :; do :; done\n", profile=slow),
             "oom": cell.json("python", "x = []\nwhile True: x.append(bytearray(1 << 20))\n", profile=eat),
             "pids_limit": cell.json("python", forks, profile=few)}
    for reason, r in ended.items():
        assert r["reason"] == reason, (reason, r)
        assert r["isolation"]["limits"]["enforced_by"] == "cgroup"
    assert (ended["completed"]["stdout"], ended["error"]["exit_code"], ended["signal"]["signal"]) == ("fine\n", 3, 11)
    assert ended["timeout"]["stdout"] == "begun\n" and 1900 < ended["timeout"]["duration_ms"] < 60000
    assert not cell.left(*ended.values())
    assert not os.path.exists("oom"), ("Podman's conmon notes it where its service was started, which is not to be our "
                                       "tree")


def test_a_run_that_is_refused_leaves_nothing(cell):
    cell.configure(docker__container__accept_missing=[])
    done = cell.run("python", "print('ran')\n", options=["--json"])
    assert ((done.code, done.result["stdout"]) == (125, "")
            or (done.code, done.result["reason"]) == (123, "policy_denied")), done
    assert "user_ns" in done.result["error"]["message"] and "accept_missing" in done.result["error"]["remedy"]
    assert not cell.left(done.result)


def test_a_client_that_is_killed_leaves_nothing(cell):
    live = cell.box.live("python", "import time\nprint('ready', flush=True)\ntime.sleep(60)\n")
    pid = engine_process(live)
    assert len(cell.of_owner(pid)) == 2  # container and volume
    live.process.kill()
    assert not poll(lambda: cell.of_owner(pid), 60)


def test_a_container_has_a_name_that_says_whose_run_it_is(cell):
    live = cell.box.live("python", "import time\nprint('ready', flush=True)\ntime.sleep(60)\n")
    (container,) = [c for c in cell.engine.expect(200, "GET", "/containers/json")
                    if ":%d:" % engine_process(live) in (c["Labels"] or {}).get(OWNER, "")]
    live.process.send_signal(signal.SIGINT)
    assert live.finish().code in (-2, 130, 137)
    assert [n.lstrip("/").startswith("sandbox-agent-%s-" % container["Labels"][EXECUTION])
            for n in container["Names"]] == [True], container


def test_an_interrupted_client_leaves_nothing(cell):
    live = cell.box.live("python", "import time\nprint('ready', flush=True)\ntime.sleep(60)\n")
    pid = engine_process(live)
    live.process.send_signal(signal.SIGINT)
    assert live.finish().code in (-2, 130, 137) and not cell.of_owner(pid)


def owner_label(pid):
    """As src/engine/owner.c writes it."""
    start = read("/proc/%d/stat" % pid).rpartition(")")[2].split()[19] if os.path.exists("/proc/%d" % pid) else "1"
    return "%s:%d:%d:%s" % (read("/proc/sys/kernel/random/boot_id").strip(), os.stat("/proc/self/ns/pid").st_ino, pid,
                            start)


def strange(cell, labels):
    """-> a container that none of our runs made"""
    return "containers/" + cell.engine.expect(201, "POST", "/containers/create", {
        "Image": cell.image, "Entrypoint": ["sleep", "60"], "Labels": labels,
        "HostConfig": {"NetworkMode": "none", "Ulimits": engines.ULIMITS}})["Id"]


def test_what_a_killed_sandbox_engine_left_goes_with_the_next_run_and_nothing_else_does(cell):
    dead = subprocess.Popen(["true"])
    dead.wait()
    mark = "test-%d" % os.getpid()
    others = [strange(cell, labels) for labels in ({EXECUTION: mark},
                                                   {OWNER: owner_label(os.getpid()), EXECUTION: mark},
                                                   {OWNER: "nobody:knows:what", EXECUTION: mark})]
    orphan = strange(cell, {OWNER: owner_label(dead.pid), EXECUTION: mark})
    try:
        live = cell.box.live("python", "import time\nprint('ready', flush=True)\ntime.sleep(60)\n")
        pid = engine_process(live)
        os.kill(pid, signal.SIGKILL)
        done = live.finish()
        assert done.code == 125 and "sandbox-engine died" in done.words, done
        assert cell.json("python", "print(1)\n")["reason"] == "completed"
        assert not poll(lambda: cell.of_owner(pid), 60)
        assert not poll(lambda: orphan in cell.of_run(mark), 60)
        assert sorted(others) == sorted(cell.of_run(mark))
    finally:
        cell.remove([*others, orphan])


@pytest.mark.parametrize("kind, count", [("docker", 16), ("podman", 5)])
def test_many_at_once_are_all_right(box, request, kind, count):
    cell = Cell(box, request.getfixturevalue(kind))
    lives = [box.start("--json", *box.words("python", "print(%d * %d)\n" % (i, i))) for i in range(count)]
    results = [live.finish().result for live in lives]
    assert [(r["reason"], r["stdout"]) for r in results] == [("completed", "%d\n" % (i * i))
                                                             for i in range(count)], results
    assert not cell.left(*results)


# ---- streams ----

def test_five_megabytes_go_in_and_come_out_as_they_are(cell):
    data = random.Random(3).randbytes(5 * MIB)
    done = cell.program("/bin/cat", input=data, options=["--stdin", "-"])
    assert done.code == 0 and hashlib.sha256(done.out).digest() == hashlib.sha256(data).digest(), done


def test_thirty_megabytes_are_cut_and_the_streams_stay_apart(cell):
    code = ("import os\nfor i in range(30):\n    os.write(2, bytes(range(256)))\n"
            "    for k in range(16): os.write(1, b'x' * 65536)\n")
    done = cell.run("python", code, profile=free(cell, resources__cpu=1.0, resources__timeout=120))
    assert done.code == 0 and done.out == b"x" * (16 * MIB)
    assert done.err.startswith(bytes(range(256)) * 30) and b"stdout was cut after 16777216 bytes" in done.err


def test_what_cannot_be_started_is_told_as_a_shell_would(cell):
    cell.program("/no/such/program").refused(127, "/no/such/program")
    cell.program("/etc/passwd").refused(126, "/etc/passwd")


# ---- inside ----

INSIDE = r"""
import ctypes, hashlib, json, os, stat
def tried(what):
    try:
        what()
        return 'done'
    except OSError as e:
        return e.errno
libc = ctypes.CDLL(None, use_errno=True)
def sockets(top):
    return [os.path.join(p, n) for p, d, names in os.walk(top) for n in names if stat.S_ISSOCK(os.lstat(os.path.join(p, n)).st_mode)]
told = {
    'entry': hashlib.sha256(open('/code/.entry', 'rb').read()).hexdigest(),
    'write': [tried(lambda: open('/code/new', 'w')), tried(lambda: open('/code/.entry', 'ab')), tried(lambda: os.chmod('/code/.entry', 0o777)),
              tried(lambda: os.rename('/code/.entry', '/code/x'))],
    'trace': libc.ptrace(16, 1, None, None),
    'memory': tried(lambda: open('/proc/1/mem', 'rb')),
    'fds': tried(lambda: os.listdir('/proc/1/fd')),
    'environ': tried(lambda: open('/proc/1/environ', 'rb').read(1)),
    'sockets': [s for top in ('/run', '/var/run', '/tmp', '/dev', '/code', '/data') for s in sockets(top)],
    'mounts': open('/proc/self/mountinfo').read().splitlines(),
}
for number in range(1, 65):
    tried(lambda: os.kill(1, number))
told['parent'] = os.getppid()
print(json.dumps(told), flush=True)
"""
VIRTUAL = {"proc", "sysfs", "tmpfs", "devtmpfs", "devpts", "mqueue", "cgroup", "cgroup2"}


def test_inside_there_is_nothing_of_the_host_and_no_hold_on_pid_1(cell):
    data = cell.box.directory("data")
    r = cell.json("python", INSIDE, profile=free(cell), options=["--volume", "%s:/data" % data])
    assert r["reason"] == "completed", r
    told = json.loads(r["stdout"])
    assert told["entry"] == hashlib.sha256((LIBEXEC / "sandbox-entry").read_bytes()).hexdigest(
        ), "the program as it is installed: no secret"
    assert "done" not in told["write"] and told["trace"] == -1 and told["parent"] == 1
    assert "done" not in (told["memory"], told["fds"], told["environ"]) and told["sockets"] == []
    own = pathlib.Path(cell.engine.socket).parent.name
    for line in told["mounts"]:
        words, kind = line.split(), line.partition(" - ")[2].split()[0]
        root, point = words[3], words[4]
        if kind not in VIRTUAL and root != "/":
            assert own in root or (point == "/data" and root.endswith("/data")), line
        assert str(LIBEXEC.parents[1]) not in line and "docker.sock" not in line


def test_what_waits_in_sockets_is_said_to_be_unbounded_on_control_groups_of_version_1(cell):
    isolation = cell.json("python", "print(1)\n")["isolation"]
    assert any(m.startswith("sockets: ") for m in isolation["missing"]) == (isolation["cgroup"] == "v1"), isolation


def test_what_the_guard_refuses_is_in_the_result(cell):
    cell.configure(docker__container__accept_missing=["user_ns", "cgroup_ns", "kill_switches", "monitoring", "network"])
    for level, code, found in (("medium", "name = 'so' + 'cket'\n__import__(name)\n", ("blocked_module", "socket")),
                               ("high", "name = 'o' + 's'\n__import__(name)\n", ("blocked_builtin", "__import__")),
                               ("high", "import os\n", ("blocked_module", "os"))):
        r = cell.json("python", code, level=level)
        assert [(v["type"], v["detail"]) for v in r["violations"]] == [found] and r["reason"] == "error", r


# ---- who may ----

def test_an_ordinary_user_runs_it_as_well(box, docker):
    cell, user = Cell(box, docker), 61234
    with Liar(docker) as way:  # a socket that we may give away: the engine is every test's
        way.dir.chmod(0o711)
        os.chown(way.socket, user, user)
        cell.configure(socket=way.socket)
        place = copy_installation(box.dir / "prefix")
        subprocess.run(["chown", "-R", "%d:%d" % (user, user), box.dir], check=True)
        box.prefix = ["/usr/bin/setpriv", "--reuid=%d" % user, "--regid=%d" % user, "--clear-groups"]
        r = cell.json("python", "print(6 * 7)\n", agent=place / "bin/sandbox-agent")
    assert (r["reason"], r["stdout"], r["isolation"]["cgroup"] != "none") == ("completed", "42\n", True), r
    assert not cell.left(r)
