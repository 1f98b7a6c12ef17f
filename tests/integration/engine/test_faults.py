"""Engines that are not there, break, hang, or do other than they were told: an error in bounded time, before any code
runs, and nothing left."""
import os
import secrets
import signal
import socket
import subprocess
import threading

import helpers
import pytest
from helpers import copy_installation, poll

from engine import engines
from engine.backend import Cell, engine_process, within
from engine.liar import Liar

WRITES = "open('/data/ran', 'w').close()\nprint('ran')\n"


# ---- none ----

def unreachable(box, path, **more):
    box.user_config({"docker": {"daemon": {"socket": str(path), "timeout": "500ms"}}, "sandbox": {"backend": "docker"}})
    with within(45):
        return box.run("python", "print(1)\n", **more)


def test_no_engine_is_one_line_with_a_remedy(box):
    unreachable(box, box.dir / "absent").refused(125, "absent", "docker.daemon.socket")
    unreachable(box, box.file("plain", "")).refused(125, "no socket")
    unreachable(box, "/" + "a" * 200).refused(2, "docker.daemon.socket", "107 bytes")
    with socket.socket(socket.AF_UNIX) as s:
        s.bind(str(box.dir / "deaf"))
        unreachable(box, box.dir / "deaf").refused(125, "no process listens", "docker.daemon.socket")


@pytest.mark.parametrize("answer", [b"220 mail.example ESMTP\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
                                    b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", b"", None],
                         ids=["mail", "web", "404", "closes", "silent"])
def test_a_socket_of_something_else_is_no_engine(box, answer):
    with socket.socket(socket.AF_UNIX) as s:
        s.bind(str(box.dir / "other"))
        s.listen(8)
        held = []

        def serve():
            while True:
                try:
                    c, _ = s.accept()
                except OSError:
                    return
                held.append(c)
                if answer is not None:
                    c.settimeout(0.2)  # a connection made to look is closed without a word
                    try:
                        c.recv(4096)
                        c.sendall(answer)
                    except OSError:
                        pass
                    c.close()
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            unreachable(box, box.dir / "other").refused(125, "engine", "remedy")
        finally:
            s.shutdown(socket.SHUT_RDWR)
            thread.join()
            for c in held:
                c.close()


def test_a_socket_that_this_user_may_not_use(box):
    with socket.socket(socket.AF_UNIX) as s:
        s.bind(str(box.dir / "roots"))
        os.chmod(box.dir / "roots", 0o600)
        s.listen(1)
        os.chown(box.dir / "roots", 0, 0)
        place = copy_installation(box.dir / "prefix")
        subprocess.run(["chown", "-R", "61234:61234", box.dir, *[p for p in box.dir.iterdir() if p.name != "roots"]],
                       check=True)
        os.chown(box.dir / "roots", 0, 0)
        if os.geteuid() == 0:
            box.prefix = ["/usr/bin/setpriv", "--reuid=61234", "--regid=61234", "--clear-groups"]
        unreachable(box, box.dir / "roots", agent=place / "bin/sandbox-agent").refused(125, "may not use", "group")


# ---- one that goes away in the middle ----

def sleeps(box, profile=None):
    by = ["--profile", profile] if profile else ["--risk-level", "low"]
    live = box.start(*by, "--", "/bin/busybox", "sh", "-c", "echo ready; sleep 600")
    live.wait_for(b"ready", 120)
    return live


def runs_and_leaves_nothing(cell):
    assert cell.program("/bin/busybox", "echo", "ran", level="low").text == "ran\n"
    assert not poll(lambda: cell.engine.containers() + cell.engine.volumes(), 60)


def lost(live, seconds):
    with within(seconds):
        done = live.finish()
    assert done.code == 125 and "ENGINE" in done.words, done
    return done


def test_an_engine_that_is_killed_frozen_or_restarted_is_an_error_and_the_next_run_works(box, private_engine):
    docker = private_engine(engines.Docker)
    offline = {"docker__container__network": "none"}
    cell = Cell(box, docker, engines.BUSYBOX, **offline)
    runs_and_leaves_nothing(cell)

    live = sleeps(box)
    docker.kill()
    lost(live, 60)
    unreachable(box, docker.socket).refused(125, "no process listens")
    docker.start()
    cell.configure(**offline)
    runs_and_leaves_nothing(cell)

    cell.configure(docker__daemon__timeout="4", **offline)
    live = sleeps(box, box.derive("low", resources__timeout=4))
    os.kill(docker.daemon, signal.SIGSTOP)
    try:
        with within(60):
            done = live.finish()
        assert done.code == 124 and "it is unknown whether the program has ended" in done.words, done
        unreachable(box, docker.socket).refused(125, "engine")
    finally:
        os.kill(docker.daemon, signal.SIGCONT)
    cell.configure(**offline)
    runs_and_leaves_nothing(cell)

    live = sleeps(box)
    docker.restart()
    lost(live, 60)
    runs_and_leaves_nothing(cell)


@pytest.mark.parametrize("method, ending", [("GET", "/json"), ("POST", "/volumes/create"), ("PUT", "path=%2Fcode"),
                                            ("POST", "/containers/create"),
                                            ("POST", "stdout=1&stderr=1"), ("POST", "/start")])
def test_an_engine_that_hangs_at_a_step_is_given_its_time_and_no_more(box, docker, method, ending):
    """What it does later, with nobody there, goes with the next run."""
    cell = Cell(box, docker)
    going_on, hangs = threading.Event(), []

    def before(how, path):
        if how == method and (path.endswith(ending) or path.partition("?")[0].endswith(ending)
                              and "create" in ending) and not hangs:
            hangs.append(path)
            going_on.wait(120)
    with Liar(docker, before=before) as liar:
        for seconds in (1, 4, 16):  # the least within which this machine comes as far as this step
            cell.configure(socket=liar.socket, docker__daemon__timeout=str(seconds))
            live = box.start("--json", *box.words("python", "print(1)\n"))
            pid = engine_process(live)
            with within(60):
                r = live.finish().result
            assert r["reason"] == "sandbox_error" and "engine" in r["error"]["message"] and r["stdout"] == "", r
            if hangs:
                break
        going_on.set()
        assert not poll(lambda: (method, hangs[0]) not in liar.done, 60), "what was held back is with the engine"
    cell.configure()
    assert cell.json("python", "print(2)\n")["reason"] == "completed"

    assert not poll(lambda: cell.of_owner(pid) + cell.nameless(r), 60), r


# ---- one that does other than it was told ----

def drops(key):
    return lambda body: body["HostConfig"].pop(key)


def unfiltered(body):
    host = body["HostConfig"]
    host["SecurityOpt"] = [o for o in host["SecurityOpt"] if not o.startswith("seccomp=")] + ["seccomp=unconfined"]


def privileged_later(body):
    host = body["HostConfig"]
    host["SecurityOpt"] = [o for o in host["SecurityOpt"] if not o.startswith("no-new")]


def unlimited(body):
    body["HostConfig"].update(Memory=0, MemorySwap=0)


def online(body):
    body["NetworkDisabled"] = False
    body["HostConfig"]["NetworkMode"] = "host"
    body.pop("Hostname")


def as_root(body):
    body["User"] = "0:0"


def all_caps(body):
    body["HostConfig"].update(CapDrop=[], CapAdd=["ALL"])


def roomy(body):
    body["HostConfig"]["Tmpfs"]["/tmp"] = "rw,size=10g"


def in_the_hosts_pids(body):
    body["HostConfig"]["PidMode"] = "host"


def fast(body):
    body["HostConfig"].update(CpuQuota=0, CpuPeriod=0)


def default_filter(body):
    host = body["HostConfig"]
    host["SecurityOpt"] = [o for o in host["SecurityOpt"] if not o.startswith("seccomp=")]


def nothing_hidden(body):
    body["HostConfig"]["MaskedPaths"] = []


def with_device(body):
    body["HostConfig"]["Devices"] = [{"PathOnHost": "/dev/kmsg", "PathInContainer": "/dev/kmsg",
                                      "CgroupPermissions": "r"}]


def with_swap(body):
    body["HostConfig"]["MemorySwap"] = -1


def no_ulimits(body):
    body["HostConfig"]["Ulimits"] = []


LIES = {"PidsLimit": (drops("PidsLimit"), "pids"), "CapDrop": (all_caps, "caps"),
        "ReadonlyRootfs": (drops("ReadonlyRootfs"), "storage"),
        "SecurityOpt": (unfiltered, "seccomp"), "no-new-privileges": (privileged_later, "no_new_privs"),
        "Memory": (unlimited, "memory"),
        "CpuQuota": (fast, "cpu"), "NetworkMode": (online, "network interfaces"), "User": (as_root, "uid 0:0"),
        "Tmpfs": (roomy, "/tmp"),
        "PidMode": (in_the_hosts_pids, "pid"), "default filter": (default_filter, "it permits"),
        "MaskedPaths": (nothing_hidden, "is not hidden"),
        "Devices": (with_device, "devices"), "MemorySwap": (with_swap, "swap")}


def never_ran(cell, socket, words, **more):
    """Refused with one of these words and a remedy, and its program left no trace in a place where it may write."""
    data = cell.box.dir / "data"
    if not data.exists():
        cell.box.directory("data")
    cell.configure(socket=socket, **more)
    r = cell.json("python", WRITES, options=["--volume", "%s:/data:rw" % data])
    assert r["reason"] in ("sandbox_error", "policy_denied") and r["error"], r
    assert r["error"]["remedy"] or r["error"]["step"] == "START", r
    assert any(word in r["error"]["message"] for word in words), (words, r["error"])
    assert r["stdout"] == "" and list(data.iterdir()) == [], r
    assert not cell.left(r)
    return r


@pytest.mark.parametrize("lie", LIES)
def test_an_engine_that_ignores_a_setting_is_refused_before_anything_runs(box, docker, lie):
    """Whether it shows what is in force (read back) or what was asked (then the facts from inside and the control group
    say it)."""
    change, word = LIES[lie]
    cell = Cell(box, docker)
    if lie == "NetworkMode":  # without a bridge the engine's own network namespace is as empty as the container's
        docker.call("POST", "/networks/create", {"Name": "not-for-us", "Driver": "bridge", "CheckDuplicate": True})
    with Liar(docker, change) as liar:
        r = never_ran(cell, liar.socket, [word])
        assert r["error"]["step"] in ("FACTS", "REQUIRE", "START"), r
    with Liar(docker, change, is_honest=True) as liar:
        r = never_ran(cell, liar.socket, ["asked"])
        assert r["error"]["step"] == "CREATE" and not [p for _, p in liar.seen if p.endswith("/start")], r


def test_ulimits_that_an_engine_ignores_are_set_from_inside(box, docker):
    cell = Cell(box, docker)
    with Liar(docker, no_ulimits) as liar:
        cell.configure(socket=liar.socket)
        r = cell.json("bash", "ulimit -Hn; ulimit -Hf; ulimit -Hc\n", level="low")
        assert r["stdout"].split() == ["1024", str((1 << 30) // 1024), "0"], r
    with Liar(docker, no_ulimits, is_honest=True) as liar:
        r = never_ran(cell, liar.socket, ["Ulimits: asked"])
        assert r["error"]["step"] == "CREATE", r


def test_limits_that_a_runtime_cannot_write_are_left_out_where_they_may_be_missing(box, docker):
    starts = []

    def fail_once(method, path, status, text):
        if not path.endswith("/start"):
            return status, text
        starts.append(path)
        return ((500, b'{"message": "runc create failed: error setting cgroup config: pids.max: no such file"}')
                if len(starts) == 1 else (status, text))

    cell = Cell(box, docker)
    with Liar(docker, answer=fail_once) as liar:
        r = never_ran(cell, liar.socket, ["error setting cgroup config"])
        assert r["error"]["step"] == "START" and "accept_missing: [memory, cpu, pids]" in r["error"]["remedy"], r
        starts.clear()
        cell.configure(socket=liar.socket, docker__container__accept_missing=["user_ns", "memory", "cpu", "pids"])
        r = cell.json("bash", "echo ran\n")
    assert r["stdout"] == "ran\n" and len(starts) == 2 and r["isolation"]["limits"]["memory_bytes"] == 0, r
    assert {"memory: no limit in the control group", "cpu: no limit in the control group",
            "pids: no limit in the control group"} <= set(r["isolation"]["missing"]), r
    assert not cell.left(r)


def test_a_mount_that_nobody_asked_for_is_refused_before_anything_runs(box, docker):
    with Liar(docker, lambda body: body["HostConfig"].update(Binds=["/tmp:/mnt"]), is_honest=True) as liar:
        never_ran(Cell(box, docker), liar.socket, ["/mnt"])


@pytest.mark.parametrize("what", ["directory", "socket"])
def test_a_mount_that_the_engine_adds_and_hides_is_refused_before_anything_runs(box, engine, what):
    """Nothing that it answers tells of it: the kernel inside does."""
    source, target = (box.directory("secret"), "/mnt") if what == "directory" else (engine.socket, "/srv/engine.sock")
    with Liar(engine, lambda body: body["HostConfig"].update(Binds=["%s:%s" % (source, target)])) as liar:
        r = never_ran(Cell(box, engine), liar.socket, ["at %s there is a mount that was not asked for" % target])
    assert (r["error"]["step"] == "FACTS" and str(source) in r["error"]["message"]
            and "configuration" in r["error"]["remedy"]), r


def refused_by_podman(cell, *words):
    done = cell.program("/bin/busybox", "echo", "ran", level="low", options=["--json"])
    r = done.result
    assert done.code == 125 and r["stdout"] == "" and all(word in r["error"]["message"] + r["error"]["remedy"]
                                                          for word in words), r
    assert r["error"]["step"] == "FACTS" and not cell.left(r), r


def test_what_podmans_configuration_adds_to_every_container_is_refused(box, private_engine):
    """Asked for a container's mounts, Podman 4.3 tells of neither."""
    added = box.directory("added")
    (added / "key").write_text("secret")

    class Strewing(engines.Podman):
        def environment(self):
            known = super().environment()
            with open(self.dir / "containers.conf", "a") as f:
                f.write('[containers]\nvolumes = ["%s:/mnt:ro"]\n' % added)
            return known
    podman = private_engine(Strewing)
    cell = Cell(box, podman, engines.BUSYBOX)
    refused_by_podman(cell, "at /mnt there is a mount", str(added), "containers.conf")
    Strewing.environment = engines.Podman.environment
    podman.restart()
    assert cell.program("/bin/busybox", "echo", "ran", level="low").text == "ran\n"
    with open("/proc/%d/root/etc/containers/mounts.conf" % podman.place.pid, "w") as f:  # of its own /etc
        f.write("%s:/run/secrets\n" % added)
    refused_by_podman(cell, "at /run/secrets there is a mount", "mounts.conf")


def test_without_lies_the_same_program_leaves_its_trace(box, docker):
    cell, data = Cell(box, docker), box.directory("data")
    with Liar(docker) as liar:
        cell.configure(socket=liar.socket)
        assert cell.json("python", WRITES, options=["--volume", "%s:/data:rw" % data])["stdout"] == "ran\n"
    assert [p.name for p in data.iterdir()] == ["ran"]


def needs_runsc(docker):
    if "runsc" not in docker.expect(200, "GET", "/info")["Runtimes"]:
        helpers.skip("the engine has no runsc (apt-get install runsc)")


def test_a_runtime_that_is_ignored_is_refused(box, docker):
    needs_runsc(docker)

    # without the number of processes, which gVisor counts by itself: the host's kernel counts all that this user has on
    # the machine
    def change(body):
        host = body["HostConfig"]
        host.update(Runtime="runc", Ulimits=[u for u in host["Ulimits"] if u["Name"] != "nproc"])
    with Liar(docker, change) as liar:
        never_ran(Cell(box, docker), liar.socket, ["the kernel in the container is the host's"],
                  docker__daemon__runtime="runsc",
                  docker__container__accept_missing=["user_ns", "landlock", "seccomp", "no_new_privs", "storage",
                                                     "network"])
    never_ran(Cell(box, docker), None, ["bogus"], docker__daemon__runtime="bogus")


def test_podman_that_takes_no_runtime_from_a_request_is_refused(box, podman):
    r = never_ran(Cell(box, podman), None, ["Runtime"], docker__daemon__runtime="runsc")
    assert "podman --runtime runsc" in r["error"]["remedy"]


# ---- volumes ----

def test_a_volume_that_is_exchanged_after_it_was_judged_is_refused(box, docker):
    cell, data, secret = Cell(box, docker), box.directory("data"), box.directory("secret")

    def before(method, path):
        if path.endswith("/info"):  # the plan has been judged, and the container not been made
            data.rename(box.dir / "away")
            data.symlink_to(secret)
    with Liar(docker, before=before) as liar:
        cell.configure(socket=liar.socket)
        r = cell.json("python", WRITES, options=["--volume", "%s:/data:rw" % data])
    assert r["error"]["step"] == "FACTS" and "another directory" in r["error"]["message"], r
    assert list(secret.iterdir()) == [] and not cell.left(r)


def test_volumes_are_read_only_or_not_as_they_were_asked_for(box, engine):
    cell, data = Cell(box, engine), box.directory("data")
    r = cell.json("python", WRITES, options=["--volume", "%s:/data:ro" % data])
    assert r["reason"] == "error" and "Read-only" in r["stderr"] and list(data.iterdir()) == []
    r = cell.json("python", WRITES, options=["--volume", "%s:/data:rw" % data])
    assert r["reason"] == "completed" and [p.name for p in data.iterdir()] == ["ran"]


def test_the_directory_of_the_engines_socket_is_no_volume(box, docker):
    cell = Cell(box, docker)
    done = cell.run("python", "print(1)\n", options=["--volume", "%s:/data" % os.path.dirname(docker.socket)])
    assert done.code in (123, 125) and docker.socket in done.words and done.out == b"", done


# ---- one that was killed, whose containers go on ----

def processes(marker):
    """Of the host whose command line holds this."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = open("/proc/%s/cmdline" % pid, "rb").read()
        except OSError:
            continue
        if marker in words:
            found.append(int(pid))
    return found


def parent(pid):
    return int(helpers.read("/proc/%d/stat" % pid).rpartition(")")[2].split()[1])


@pytest.mark.long
def test_the_deadline_holds_in_a_container_whose_engine_was_killed(box, private_engine):
    """containerd's shim keeps the container going without dockerd: sandbox-entry ends the program by itself, and then
    itself."""
    docker = private_engine(engines.Docker)
    Cell(box, docker, engines.BUSYBOX, docker__container__network="none")
    marker = b"1%09d" % secrets.randbelow(10 ** 9)  # seconds, and in no other command line of this machine
    live = box.start("--profile", box.derive("low", resources__timeout=25), "--", "/bin/busybox", "sh", "-c",
                     "trap '' TERM; echo ready; sleep %s; sleep 7" % marker.decode())
    live.wait_for(b"ready", 120)

    def inside():
        words = {pid: helpers.read("/proc/%d/cmdline" % pid) for pid in processes(marker)}
        # "": it has ended meanwhile
        return [pid for pid, said in words.items() if said and "sandbox-agent" not in said]
    payload = inside()
    assert payload, "it runs"
    top = [pid for pid in payload if parent(pid) not in payload]
    entry = parent(top[0])
    assert helpers.read("/proc/%d/comm" % entry).strip() == ".entry"
    docker.kill()
    lost(live, 60)
    assert inside() == payload, "nobody but its deadline ends it"
    assert not poll(inside, 90), "the deadline was the entry's to keep"
    assert not poll(lambda: os.path.exists("/proc/%d" % entry), 150), "and the entry ends when nobody collects the end"
