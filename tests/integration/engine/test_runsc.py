"""gVisor: the engine's runtime is runsc, so the program meets another kernel, and the fence is that kernel."""
import os

import helpers
import pytest

from engine import engines
from engine.backend import Cell
from engine.liar import Liar

WITHOUT = ["user_ns", "landlock", "seccomp", "no_new_privs", "cgroup_ns", "storage", "network"]


@pytest.fixture
def cell(box, docker):
    if "runsc" not in docker.expect(200, "GET", "/info")["Runtimes"]:
        helpers.skip("the engine has no runsc (apt-get install runsc)")
    return Cell(box, docker, docker__daemon__runtime="runsc", docker__container__accept_missing=WITHOUT)


def test_the_kernel_is_another_one_and_nothing_is_left(cell):
    r = cell.json("python", "import platform\nprint(platform.release())\n")
    assert r["reason"] == "completed" and r["stdout"].strip() not in ("", os.uname().release), r
    assert ", runsc, " in r["isolation"]["engine"] and r["isolation"]["net_ns"] and not cell.left(r)


def test_what_is_left_in_the_workspace_is_kept(cell):
    r = cell.json("bash", "cd /workspace; echo one >a; mkdir d; echo two >d/b; ln -s /etc/passwd c\n", level="low")
    left = helpers.Left(cell.box, r)
    assert left.files == {"a": b"one\n", "d/b": b"two\n"}, r
    assert [e["left_out"] for e in left.out.values()] == ["1 link or special file"]


def test_its_limits_hold(cell):
    eat = cell.box.derive("medium", resources__memory="128m", resources__timeout=90)
    for seconds in (2, 8, 32):  # the least within which this machine begins
        timeout = cell.json("bash", "echo begun; while :; do :; done\n",
                            profile=cell.box.derive("medium", resources__timeout=seconds))
        assert timeout["reason"] == "timeout", timeout
        if timeout["stdout"]:
            break
    assert timeout["stdout"] == "begun\n", timeout
    oom = cell.json("python", "x = []\nwhile True: x.append(bytearray(1 << 20))\n", profile=eat)
    assert oom["reason"] == "oom", oom
    forks = ("import os, time\nfor i in range(60):\n    try:\n        if os.fork() == 0: time.sleep(3); os._exit(0)\n"
             "    except OSError: break\nprint(i, flush=True)\nos._exit(0)\n")
    few = cell.box.derive("medium", {"languages.python.blocked_modules": []}, resources__pids=12,
                          execution__max_processes=12, resources__timeout=90)
    pids = cell.json("python", forks, profile=few)
    assert pids["reason"] == "completed" and int(pids["stdout"]) <= 12, pids
    assert any(m.startswith("pids: 12 are kept by the runtime's own kernel")
               for m in pids["isolation"]["missing"]), pids
    assert not cell.left(timeout, oom, pids)


def test_where_something_is_mounted_its_kernel_tells_and_not_what(cell):
    data = cell.box.directory("data")
    kept = cell.json("python", "open('/data/x', 'w')\n", options=["--volume", "%s:/data:ro" % data])
    assert kept["reason"] == "error" and "Read-only" in kept["stderr"], kept
    assert any(m.startswith("mount_ns: the runtime's own kernel") for m in kept["isolation"]["missing"]), kept
    with Liar(cell.engine, lambda body: body["HostConfig"].update(Binds=["%s:/mnt" % data])) as liar:
        cell.configure(socket=liar.socket, docker__daemon__runtime="runsc", docker__container__accept_missing=WITHOUT)
        refused = cell.json("python", "print('ran')\n")
    assert (refused["error"]["step"] == "FACTS"
            and "at /mnt there is a mount that was not asked for" in refused["error"]["message"]), refused
    assert refused["stdout"] == "" and not cell.left(kept, refused)


def test_podman_with_runsc_as_its_runtime_has_another_kernel(box, podman_runsc):
    cell = Cell(box, podman_runsc, engines.BUSYBOX, docker__daemon__runtime="runsc", docker__container__network="none",
                docker__container__accept_missing=["user_ns", "cgroup_ns", "landlock", "seccomp", "no_new_privs",
                                                   "storage", "cpu", "memory", "pids", "network"])
    done = cell.program("/bin/busybox", "uname", "-r", level="low")
    assert done.code == 0 and done.out.strip() and done.text.strip() != os.uname().release, done
