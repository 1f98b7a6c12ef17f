"""The posture of a live sandbox, seen from outside through /proc, thread by thread; and that the result tells the truth
about it.

One sandbox a level is started (Python with threads and a child process), looked at while it waits for its input, and
ended; the tests below compare what was seen with what the result's `isolation` says and with what --dry-run promised.
"""
import ctypes
import os
import re
import socket
import subprocess

import pytest
from helpers import (LEVELS, MIB, Box, cgroup_dirs, is_root, namespaces, poll, read, reap_orphans, shipped, size, skip,
                     status)

CODE = """import os, sys, threading
def wait():
    threading.Event().wait()
threading.Thread(target=wait, daemon=True).start()
r, w = os.pipe()
if os.fork() == 0:
    os.close(w)
    threading.Thread(target=wait, daemon=True).start()
    os.read(r, 1)
    os._exit(0)
os.close(r)
sys.stdin.read()
os._exit(0)
"""
TASKS = 4  # main, a thread, the child, its thread
CAPS = ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")
NAMESPACES = {"user": "user_ns", "pid": "pid_ns", "mnt": "mount_ns", "net": "net_ns", "ipc": "ipc_ns", "uts": "uts_ns",
              "cgroup": "cgroup_ns"}


def courtesy_off(level):
    return {"languages.python.blocked_modules": [], "languages.python.allowed_modules": "all",
            "languages.python.restricted": False}


def links(directory):
    found = {}
    for name in os.listdir(directory):
        try:
            found[name] = os.readlink("%s/%s" % (directory, name))
        except OSError:  # it went away meanwhile
            continue
    return found


def mounts(pid):
    """mount point -> (options of the mount, file system, source, its options)"""
    found = {}
    for line in read("/proc/%d/mountinfo" % pid).splitlines():
        left, _, right = line.partition(" - ")
        words, kind = left.split(), right.split()
        found[words[4]] = (words[5].split(","), kind[0], words[3], kind[2].split(","))
    return found


def cgroup_values(pid):
    """What the control groups of this process say: (memory, cpu in milli, pids), each None where there is none."""
    memory = cpu = pids = None
    for line in read("/proc/%d/cgroup" % pid).splitlines():
        _, names, path = line.split(":", 2)
        for top in ["/sys/fs/cgroup/" + n for n in names.split(",")] if names else ["/sys/fs/cgroup",
                                                                                    "/sys/fs/cgroup/unified"]:
            text = lambda name: read(top + path + "/" + name).strip()
            if "sandbox-agent" not in path:
                continue
            value = text("memory.limit_in_bytes") or text("memory.max")
            memory = int(value) if value.isdigit() else memory
            value = text("pids.max")
            pids = int(value) if value.isdigit() else pids
            quota = (text("cpu.cfs_quota_us") + " " + text("cpu.cfs_period_us")).split() or text("cpu.max").split()
            if len(quota) == 2 and quota[0].lstrip("-").isdigit() and int(quota[0]) > 0:
                cpu = int(quota[0]) * 1000 // int(quota[1])
    return memory, cpu, pids


class Posture:
    """Everything that one live sandbox shows."""

    def __init__(self, level, changes=()):
        box = Box()
        try:
            self.look(box, level, changes)
        finally:
            box.close()

    def look(self, box, level, changes):
        profile = box.derive(level, {**courtesy_off(level), **dict(changes)})
        words = ["--profile", profile, "--language", "python", "--code", box.code(CODE)]
        self.plan = box.plan(*words)
        secret, w = os.pipe()
        os.set_inheritable(w, True)
        live = box.start("--json", *words, "--stdin", "-", stdin=subprocess.PIPE, pass_fds=[w],
                         env={"SECRET_OF_THE_CALLER": "hunter2"})
        os.close(w)
        count = lambda: sum(len(os.listdir("/proc/%d/task" % p)) for p in live.inside)
        self.launcher = live.launcher
        assert not poll(lambda: not (status_of_init(live) and len(live.inside) == 2 and count() == TASKS),
                        30), (live.inside, live.process.poll())
        self.outside = namespaces("self")
        self.init, self.pids = live.init, live.inside
        self.tasks = {(p, int(t)): status(p, int(t)) for p in self.pids for t in os.listdir("/proc/%d/task" % p)}
        self.init_status, self.init_environ, self.init_cmdline = status(self.init), _maybe(
            "/proc/%d/environ" % self.init), read("/proc/%d/cmdline" % self.init)
        self.launcher_environ = _maybe("/proc/%d/environ" % self.launcher)
        self.init_fds = links("/proc/%d/fd" % self.init) if is_root() else None
        self.ns = {key: namespaces("%d/task/%d" % key) for key in self.tasks}
        self.fds = {p: links("/proc/%d/fd" % p) for p in self.pids}
        self.environ = {p: [e for e in read("/proc/%d/environ" % p).split("\0") if e] for p in self.pids}
        self.cmdline = {p: read("/proc/%d/cmdline" % p).split("\0")[:-1] for p in self.pids}
        self.maps = {p: (read("/proc/%d/uid_map" % p).split(), read("/proc/%d/gid_map" % p).split(),
                         read("/proc/%d/setgroups" % p).strip()) for p in self.pids}
        self.stat = {p: read("/proc/%d/stat" % p).rpartition(")")[2].split() for p in [self.init, *self.pids]}
        self.cwd = {p: [tuple(os.stat("/proc/%d/%s" % (p, d)))[1:3] for d in ("cwd/.", "root" + self.plan["cwd"])]
                    for p in self.pids}
        self.root = {p: os.stat("/proc/%d/root/." % p).st_dev for p in self.pids}
        self.listing = sorted(os.listdir("/proc/%d/root" % self.pids[0]))
        self.mounts = {p: mounts(p) for p in self.pids}
        self.limits = {p: {line[:26].strip(): line[26:].split()[:2]
                           for line in read("/proc/%d/limits" % p).splitlines()[1:]} for p in self.pids}
        self.cgroups = {p: cgroup_values(p) for p in [self.init, *self.pids]}
        self.net_dev = [line.split(":")[0].strip() for line in read("/proc/%d/net/dev" % self.pids[0]).splitlines()[2:]]
        # goes when lo goes down; its address stays
        self.has_loopback = "BROADCAST" in read("/proc/%d/net/fib_trie" % self.pids[0])
        self.coredump_filter = read("/proc/%d/coredump_filter" % self.pids[0]).strip()
        self.umask = {p: status(p)["Umask"] for p in self.pids}
        self.attr = read("/proc/%d/attr/current" % self.pids[0]).strip("\0\n")
        live.process.stdin.close()
        live.process.stdin = None
        done = live.finish()
        os.close(secret)
        assert done.code == 0, done
        self.result = done.result
        self.isolation = self.result["isolation"]
        self.left = poll(lambda: [p for p in [self.init, *self.pids] if status(p).get("NSpid", "").count("\t")]
                         or cgroup_dirs(self.launcher))


def status_of_init(live):
    try:
        return live.init
    except AssertionError:
        return None


def _maybe(path):
    try:
        with open(path, "rb") as f:
            return f.read()
    except PermissionError:
        return None


_seen = {}


@pytest.fixture(params=LEVELS)
def level(request):
    return request.param


@pytest.fixture
def seen(level):
    if level not in _seen:
        _seen[level] = Posture(level)
    return _seen[level]


def each_task(seen):
    return seen.tasks.items()


# ---- every thread ----

def test_every_thread_is_seen(seen):
    assert len(seen.tasks) == TASKS and len(seen.pids) == 2


def test_every_thread_lives_in_namespaces_of_its_own(seen):
    first = next(iter(seen.ns.values()))
    for key, ns in seen.ns.items():
        assert ns == first, key
    for name, claim in NAMESPACES.items():
        assert seen.isolation[claim] is (first[name] != seen.outside[name]), name
        assert seen.isolation[claim] is True


def test_no_thread_has_any_capability(seen):
    for key, s in each_task(seen):
        assert [s[c] for c in CAPS] == ["0" * 16] * 5, key
    assert seen.isolation["caps"] in (0, []), seen.isolation["caps"]


def test_every_thread_has_no_new_privs_and_a_filter(seen):
    for key, s in each_task(seen):
        assert (s["NoNewPrivs"], s["Seccomp"]) == ("1", "2"), key
        assert int(s.get("Seccomp_filters", "1")) >= 1
    assert seen.isolation["no_new_privs"] is True and seen.isolation["seccomp"] is True


def test_every_thread_runs_under_the_host_uid_that_the_result_names(seen, level):
    host = seen.isolation["uid"]["host"]
    for key, s in each_task(seen):
        assert s["Uid"].split() == [str(host)] * 4, key
        assert len(set(s["Gid"].split())) == 1 and s["Gid"].split()[0] != "0"
        if is_root():
            assert s["Groups"].strip() == "", "root's groups stay outside"
    assert host != 0, "nothing inside is root on the host"
    assert host == os.geteuid() or is_root()


def test_the_user_map_is_one_uid_wide(seen, level):
    inside = shipped(level)["security"]["user"].split(":")
    for pid, (uid_map, gid_map, setgroups) in seen.maps.items():
        # seen from our namespace: inside, outside, length
        assert uid_map == [inside[0], str(seen.isolation["uid"]["host"]), "1"], pid
        assert gid_map[0] == inside[1] and gid_map[1] != "0" and gid_map[2] == "1"
    assert seen.isolation["uid"]["inside"] == int(inside[0])


def test_no_thread_has_a_terminal_or_our_session(seen):
    for pid, stat in seen.stat.items():
        pgrp, session, tty = int(stat[2]), int(stat[3]), int(stat[4])
        assert tty == 0, pid
        assert session not in (os.getsid(0), seen.launcher) and pgrp != os.getpgrp()


def test_no_descriptor_came_along(seen):
    parent, child = seen.pids
    guard = {"15"} if any("guard" in word for word in seen.plan["argv"]) else set()  # the pipe for its reports
    assert set(seen.fds[parent]) == {"0", "1", "2", "4"} | guard, seen.fds  # 4: the program's own pipe
    assert set(seen.fds[child]) == {"0", "1", "2", "3"} | guard
    for fds in seen.fds.values():
        for target in fds.values():
            assert re.match(r"pipe:|/dev/null$", target), fds


def test_the_environment_is_what_the_plan_says_and_nothing_else(seen):
    for pid in seen.pids:
        assert sorted(seen.environ[pid]) == sorted(seen.plan["env"])
    assert "hunter2" not in str(seen.environ)


def test_the_arguments_are_what_the_plan_says(seen):
    for pid in seen.pids:
        assert seen.cmdline[pid] == seen.plan["argv"]


def test_the_root_is_private_and_the_working_directory_in_it(seen):
    for pid in seen.pids:
        assert seen.root[pid] != os.stat("/").st_dev
        assert seen.cwd[pid][0] == seen.cwd[pid][1], "it starts in the plan's working directory"
    allowed = {"bin", "sbin", "code", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "tmp", "usr", "var",
               "workspace", "home", "root"}
    assert set(seen.listing) <= allowed, ("nothing else of the host: no /sys, /boot, /run; /home and /root are planted "
                                          "(base/homes.h)")


def test_every_mount_is_nosuid_and_nothing_of_the_host_is_writable(seen):
    for pid in seen.pids:
        for point, (options, kind, source, _) in seen.mounts[pid].items():
            is_device = point.startswith("/dev/") and point != "/dev/shm"
            assert "nosuid" in options, point
            assert "nodev" in options or is_device, point
            assert "ro" in options or kind == "tmpfs" or is_device or kind == "proc", (point, options)
            if kind not in ("tmpfs", "proc") and not is_device:
                assert "ro" in options, (point, options)


def test_the_mounts_are_those_of_the_plan(seen):
    promised = {m["target"]: m for m in seen.plan["mounts"]}
    here = seen.mounts[seen.pids[0]]
    for point in here:
        assert (point in promised or point in ("/", "/code") or any(point.startswith(t + "/") for t in promised)
                or point.startswith("/code/")), point
    for target, m in promised.items():
        if m["kind"] != "tmpfs":
            continue
        options, kind, _, fs = here[target]
        assert kind == "tmpfs" and m["flags"].split()[0] in options
        assert ("noexec" in options) == ("noexec" in m["flags"]), (target, options)
        sizes = [o for o in fs if o.startswith("size=")]
        assert sizes and int(sizes[0][5:-1]) * 1024 <= m["size_bytes"] + 4096, (target, fs, m)
        assert any(o.startswith("nr_inodes=") for o in fs), (target, fs)


def test_no_host_path_shows_in_the_mount_table(seen):
    # which is planted
    text = str([m for of_pid in seen.mounts.values() for point, m in of_pid.items() if point != "/home"])
    for word in ("/work/", str(os.getcwd()), "test-sandbox-agent", "/root", "/home"):
        assert word not in text, word


def test_the_rlimits_are_what_the_result_says(seen, level):
    limits, execution = seen.isolation["limits"], shipped(level)["execution"]
    for pid in seen.pids:
        l = seen.limits[pid]
        assert l["Max core file size"] == ["0", "0"]
        assert l["Max open files"] == [str(limits["open_files"]), str(execution["max_file_descriptors"])]
        assert l["Max file size"] == [str(limits["file_size_bytes"])] * 2
        assert int(l["Max processes"][0]) >= limits["pids"]
        assert l["Max locked memory"] == ["65536",
                                          "65536"] and l["Max realtime priority"] == ["0", "0"] and l[
                                              "Max nice priority"] == ["0", "0"]
    assert (limits["open_files"] == execution["max_open_files"]
            and limits["file_size_bytes"] == size(execution["max_file_size"]))


def test_the_control_group_holds_what_the_result_says(seen, level):
    limits = seen.isolation["limits"]
    resources = shipped(level)["resources"]
    assert (limits["memory_bytes"] == size(resources["memory"])
            and round(limits["cpu"] * 1000) == round(float(resources["cpu"]) * 1000)
            and limits["pids"] == resources["pids"])
    if seen.isolation["cgroup"] == "none":
        assert limits["enforced_by"] == "supervisor" and any(m.startswith("cgroup") for m in seen.isolation["missing"])
        assert set(seen.cgroups.values()) == {(None, None, None)}
        return
    assert limits["enforced_by"] == "cgroup" and seen.isolation["cgroup"] in ("v1", "v2")
    for pid, (memory, cpu, pids) in seen.cgroups.items():
        assert memory == limits["memory_bytes"] and cpu == round(limits["cpu"] * 1000), (pid, memory, cpu)
        assert limits["pids"] <= pids <= limits["pids"] + 2, "and what our own init needs"


def test_the_network_is_what_the_result_says(seen, level):
    assert seen.net_dev == ["lo"], "no other interface, whatever the level"
    is_bridge = shipped(level)["network"]["mode"] == "bridge"
    assert seen.isolation["net"] == ("bridge" if is_bridge else "loopback" if seen.has_loopback else "none")
    assert seen.has_loopback is not shipped(level)["network"]["disable_loopback"]


def test_landlock_is_of_the_kernels_abi_or_missing(seen):
    abi = ctypes.CDLL(None, use_errno=True).syscall(444, None, 0, 1)
    if abi > 0:
        assert 1 <= seen.isolation["landlock"] <= abi
        assert seen.isolation["landlock"] >= min(abi, 6), "the newest features that both know"
    else:
        assert (seen.isolation["landlock"] in (0, None)
                and any(m.startswith("landlock") for m in seen.isolation["missing"]))


def test_apparmor_is_told_as_it_is(seen):
    claim = seen.isolation["apparmor"]
    if os.path.exists("/sys/kernel/security/apparmor/profiles") or read(
        "/sys/module/apparmor/parameters/enabled").strip() == "Y":
        assert claim is None or claim in seen.attr
    else:
        assert claim is None
    assert (claim is None) == any(m.startswith("apparmor") for m in seen.isolation["missing"])


def test_selinux_is_told_where_it_enforces_and_not_missed_elsewhere(seen):
    claim, listed = seen.isolation["selinux"], [m for m in seen.isolation["missing"] if m.startswith("selinux: ")]
    if read("/sys/fs/selinux/enforce").strip() != "1":
        assert claim is None and not listed, "the shipped profiles do not miss what this machine does not have"
    else:
        assert (claim is None) == bool(listed)


def test_missing_lists_nothing_that_is_in_force(seen):
    for line in seen.isolation["missing"]:
        assert re.match(r"[a-z_]+: \S", line), line
        name = line.split(":")[0]
        if name == "sockets":  # what the memory limit leaves out, where cgroup v1 enforces it
            assert seen.isolation["cgroup"] == "v1" and seen.isolation["limits"]["enforced_by"] == "cgroup", line
            continue
        if name == "io":  # only where there is no group, or none with that controller: this sandbox writes no volume
            assert seen.isolation["cgroup"] == "none" or "controller" in line, line
            continue
        assert name in ("apparmor", "selinux", "cgroup", "network", "monitoring", "kill_switches", "rate_limits",
                        "landlock", "time_ns",
                        "cpu", "memory", "pids"), line
        assert seen.isolation.get(name) in (None, False, 0, "none"), line


def test_nothing_that_was_required_is_missing(seen, level):
    names = {line.split(":")[0] for line in seen.isolation["missing"]}
    assert not names & set(shipped(level)["security"]["require"])


def test_the_umask_is_set(seen):
    assert set(seen.umask.values()) == {"0022"}


# ---- pid 1 and the launcher ----

def test_init_is_as_confined_as_what_it_watches(seen):
    s = seen.init_status
    assert [s[c] for c in CAPS] == ["0" * 16] * 5
    assert (s["NoNewPrivs"], s["Seccomp"]) == ("1", "2")
    assert s["Uid"].split()[0] == str(seen.isolation["uid"]["host"]) and s["NSpid"].split()[-1] == "1"
    assert s["Threads"] == "1"


def test_init_and_launcher_carry_no_environment(seen):
    """Readable through /proc/1/environ in other sandboxes."""
    for environ in (seen.init_environ, seen.launcher_environ):
        if environ is None:
            continue  # not even readable for us
        assert b"hunter2" not in environ and b"XDG_" not in environ and b"PATH=" not in environ


def test_init_holds_no_host_descriptor(seen):
    if seen.init_fds is None:
        skip("init is not dumpable: an ordinary user cannot look at its descriptors")
    for number, target in seen.init_fds.items():
        assert re.match(r"socket:|/memfd:|anon_inode:|pipe:|/dev/null", target), (number, target)
        assert "0" != number != "1", "the payload's streams must end when it does"


def test_nothing_is_left_of_it(seen):
    assert not seen.left


# ---- from inside ----

PROBE = """import os, socket, sys
def tell(name, f):
    try: print(name, f())
    except Exception as e: print(name, type(e).__name__)
tell('uid', lambda: (os.getuid(), os.getgid(), os.getgroups()))
tell('hostname', socket.gethostname)
tell('pids', lambda: sorted(int(p) for p in os.listdir('/proc') if p.isdigit())[:1] + [os.getpid()])
tell('cgroup', lambda: sorted(set(l.split(':')[2].strip() for l in open('/proc/self/cgroup'))))
tell('interfaces', socket.if_nameindex)
tell('sys', lambda: os.listdir('/sys'))
tell('home', lambda: os.listdir('/home'))
tell('kcore', lambda: open('/proc/kcore', 'rb').read(1))
tell('kallsyms', lambda: open('/proc/kallsyms').read(10))
tell('sysctl', lambda: open('/proc/sys/kernel/hostname', 'w'))
tell('priority', lambda: os.nice(-1))
tell('chroot', lambda: os.chroot('/tmp'))
tell('setuid', lambda: os.setuid(0))
tell('tty', lambda: os.open('/dev/tty', os.O_RDWR))
tell('mknod', lambda: os.mknod('/tmp/x', 0o20666, os.makedev(1, 3)))
tell('unshare', lambda: os.unshare(0x10000000))
"""


@pytest.mark.parametrize("level", ["low", "medium"])
def test_what_the_program_sees_of_itself(box, level):
    uid = int(shipped(level)["security"]["user"].split(":")[0])
    code = PROBE.replace("tell('unshare', lambda: os.unshare(0x10000000))\n", "")
    out = dict(line.split(" ", 1)
               for line in box.run("python", code, profile=box.derive(level, courtesy_off(level))).text.splitlines())
    groups = "[]" if is_root() else None
    assert out["uid"].startswith("(%d, %d, " % (uid, uid)) and (groups is None or groups in out["uid"]), out
    assert out["hostname"] == "sandbox" != socket.gethostname()
    assert eval(out["pids"])[1] < 20, "a pid namespace of its own"
    assert out["cgroup"] == "['/']", "no host path in /proc/self/cgroup"
    assert out["interfaces"] in ("[(1, 'lo')]", "OSError", "PermissionError"), out
    assert out["sys"] == "FileNotFoundError"
    assert out["home"] in ("FileNotFoundError", "['admin']"), "nothing, or what is planted (base/homes.h)"
    for name in ("kcore", "kallsyms", "sysctl", "chroot", "setuid", "tty", "mknod"):
        assert out[name].endswith("Error") or (name == "kallsyms" and out[name] == ""), (name, out[name])


def test_two_sandboxes_do_not_see_each_other(box):
    profile = box.derive("medium", courtesy_off("medium"))
    first = box.live("python", "import os, time\nopen('/tmp/first', 'w')\nprint('ready', flush=True)\ntime.sleep(60)\n",
                     profile=profile)
    done = box.run("python", "import os\nprint(os.listdir('/tmp'), len([p for p in os.listdir('/proc') if "
                             "p.isdigit()]))\ntry: os.kill(-1, 9)\nexcept OSError as e: print(e.errno)\n",
                             profile=profile)
    assert done.out.startswith(b"[] ") and int(done.out.split()[1]) <= 2, done
    assert first.process.poll() is None and first.inside
    second = box.live("python", "print('ready', flush=True)\nimport time; time.sleep(60)\n", profile=profile)
    a, b = namespaces(first.payload()), namespaces(second.payload())
    assert not set(a.values()) & set(b.values()), "no namespace is shared"
    uids = status(first.payload())["Uid"].split()[0], status(second.payload())["Uid"].split()[0]
    assert uids[0] != uids[1] or not is_root(), "as root each sandbox has a host uid of its own"


def test_the_code_is_a_copy_that_nobody_can_change(box):
    path = box.code("import time\nprint('ready', flush=True)\ntime.sleep(0.5)\n"
                    "print(open(__file__).read().count('original'))\n# original\n")
    live = box.live("python", path)
    path.write_text("changed\n")
    assert live.finish().out == b"2\n"


# ---- the claims follow the profile ----

def test_claims_of_a_laxer_profile_are_laxer_and_true():
    p = Posture("medium", {"security.drop_all_caps": False, "security.capabilities.drop": [],
                           "security.capabilities.add": ["NET_BIND_SERVICE", "KILL"],
                           "security.no_new_privileges": False, "security.require": ["user_ns"],
                           "network.disable_loopback": True, "security.user": "4321:1234"})
    mask = (1 << 10) | (1 << 5)
    for key, s in p.tasks.items():
        assert int(s["CapEff"], 16) == int(s["CapBnd"], 16) == mask, key
        assert s["NoNewPrivs"] == "0" and s["Seccomp"] == "2"
    assert p.isolation["no_new_privs"] is False and p.isolation["net"] == "none" and not p.has_loopback
    assert p.isolation["caps"] in (mask, ["KILL", "NET_BIND_SERVICE"])
    assert (p.isolation["uid"]["inside"] == 4321 and p.maps[p.pids[0]][0][0] == "4321"
            and p.maps[p.pids[0]][1][0] == "1234")


def test_claims_of_options_are_true():
    box = Box()
    try:
        r = box.command_json("/bin/true", options=["--memory", "100m", "--cpu", "0.7", "--timeout", "9"])
        limits = r["isolation"]["limits"]
        assert (limits["memory_bytes"], limits["cpu"], limits["timeout_ms"]) == (100 * MIB, 0.7, 9000)
    finally:
        box.close()
        reap_orphans()
