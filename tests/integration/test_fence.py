"""What the fence lets through because honest programs need it, what it refuses, and what is told of it: calls, volumes,
devices, counts."""
import json
import os
import pathlib
import socket
import subprocess

import pytest
from helpers import LEVELS, is_root, skip

# every level as the shipped profile has it, but with programs to start and nothing that ends a run at the first try
OPEN = {"execution.shell_access": True, "filesystem.blocked_paths": [], "kill_switches": []}


def spawn_program(box):
    """posix_spawn(3) with POSIX_SPAWN_RESETIDS, as make does; then what asks for other ids."""
    source = box.file("spawn.c", r"""
#define _GNU_SOURCE
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    posix_spawnattr_t a;
    pid_t pid;
    int status = -1;
    if (argc > 1)
        return getuid() == geteuid() ? 7 : 1;
    posix_spawnattr_init(&a);
    posix_spawnattr_setflags(&a, POSIX_SPAWN_RESETIDS);
    char *args[] = { argv[0], "child", NULL };
    int e = posix_spawn(&pid, argv[0], NULL, &a, args, NULL);
    if (e == 0)
        waitpid(pid, &status, 0);
    printf("spawn %s status %d\n", e ? strerror(e) : "ok", status >> 8);
    printf("own %d %d %d\n", setuid(getuid()), setreuid(-1, getuid()), setresgid(-1, getgid(), -1));
    int other = setuid(getuid() + 1);
    printf("other %d %d\n", other, errno == EPERM);
    return 0;
}
""")
    place = box.directory("programs", 0o755)
    for cc, name in (("musl-gcc", "spawn-musl"), ("cc", "spawn-glibc")):
        subprocess.run([cc, "-static", "-o", place / name, source], check=True)
        (place / name).chmod(0o755)
    return place


@pytest.mark.parametrize("level", LEVELS)
def test_a_program_that_sets_its_own_ids_is_left_alone(box, level):
    place = spawn_program(box)
    # kill switches and watch as shipped
    profile = box.derive(level, execution__shell_access=True, filesystem__allowed_mounts=[str(place)])
    for name in ("spawn-musl", "spawn-glibc"):
        r = box.command_json("/programs/" + name, profile=profile, options=["--volume", "%s:/programs:ro" % place])
        wanted = "spawn ok status 7\nown 0 0 0\nother -1 1\n"
        # at high asking for another id ends the run, if it has not ended before; musl writes its first line at once
        if r["kill_switch"]:
            assert level == "high" and wanted.startswith(r["stdout"]), r
        else:
            assert r["stdout"] == wanted, r
        assert [v["type"] for v in r["violations"]] == ["privilege_escalation_attempt"], r
        assert "setuid" in r["violations"][0]["detail"]


@pytest.mark.parametrize("level", LEVELS)
def test_make_starts_programs(box, level):
    if subprocess.run(["which", "make"], capture_output=True).returncode:
        skip("make is not installed")
    place = box.directory("project", 0o755)
    (place / "Makefile").write_text("all:\n\t@true\n\t@echo made\n\t@sh -c 'echo by a shell'\n")
    profile = box.derive(level, OPEN, filesystem__allowed_mounts=[str(place)])
    r = box.command_json("make", "-s", "-C", "/project", profile=profile,
                         options=["--volume", "%s:/project:ro" % place])
    assert (r["reason"], r["stdout"], r["stderr"]) == ("completed", "made\nby a shell\n", ""), r
    assert not r["violations"], r


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("call, code", [
    ("chroot", "os.chroot('/tmp')"), ("mknod", "os.mknod('/tmp/disk', stat.S_IFBLK | 0o600, os.makedev(8, 0))"),
    ("mknod", "os.mknod('/tmp/mem', stat.S_IFCHR | 0o600, os.makedev(1, 1))")])
def test_chroot_and_device_nodes_are_told(box, level, call, code):
    profile = box.derive(level, {"kill_switches": [], "languages.python.restricted": False,
                                 "languages.python.allowed_modules": "all",
                                 "languages.python.blocked_modules": []})
    r = box.json("python", "import os, stat\nos.mkfifo('/tmp/fifo')\ntry:\n    %s\nexcept PermissionError:\n"
                           "    print('refused')\n" % code, profile=profile)
    assert r["stdout"] == "refused\n", r
    assert [v["type"] for v in r["violations"]] == ["privilege_escalation_attempt"], r
    assert call in r["violations"][0]["detail"], r


# ---- volumes ----

SOCKETS = r"""
import os, socket, struct, threading
def tell(what, f):
    try:
        print(what, f())
    except OSError as error:
        print(what, error.strerror)
def connect(path, kind=socket.SOCK_STREAM):
    s = socket.socket(socket.AF_UNIX, kind)
    s.connect(path)
    return s
tell("host", lambda: connect("/data/host.sock"))
tell("host seqpacket", lambda: connect("/data/host.sock", socket.SOCK_SEQPACKET))
os.symlink("/data/host.sock", "/tmp/link")
tell("host by link", lambda: connect("/tmp/link"))
os.chdir("/data")
tell("host relative", lambda: connect("host.sock"))
tell("datagrams", lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
tell("pair of datagrams", lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
tell("pair", lambda: len(socket.socketpair()))
listener = socket.socket(socket.AF_UNIX)
listener.bind("/tmp/own.sock")
listener.listen(1)
def serve():
    while True:
        s, _ = listener.accept()
        _, uid, gid = struct.unpack("3i", s.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        s.sendall(b"mine" if (uid, gid) == (os.getuid(), os.getgid()) else b"whose?")
        s.close()
threading.Thread(target=serve, daemon=True).start()
tell("own", lambda: connect("/tmp/own.sock").recv(9))
os.makedirs("/tmp/a/b")
os.chdir("/tmp/a/b")
tell("own relative", lambda: connect("../../own.sock").recv(9))
tell("none", lambda: connect("/tmp/none"))
os.mkfifo("/tmp/fifo")
tell("no socket", lambda: connect("/tmp/fifo"))
abstract = socket.socket(socket.AF_UNIX)
abstract.bind("\0name")
abstract.listen(1)
tell("abstract", lambda: connect("\0name").getpeername())
inet = socket.socket()
inet.bind(("127.0.0.1", 0))
inet.listen(1)
tell("loopback", lambda: socket.create_connection(inet.getsockname()).getpeername()[0])
"""
ANSWERS = """host Permission denied
host seqpacket Permission denied
host by link Permission denied
host relative Permission denied
datagrams Permission denied
pair of datagrams Permission denied
pair 2
own b'mine'
own relative b'mine'
none No such file or directory
no socket Connection refused
abstract b'\\x00name'
loopback 127.0.0.1
"""


@pytest.mark.parametrize("mode", ["ro", "rw"])
@pytest.mark.parametrize("level", ["low", "medium"])
def test_sockets_in_a_volume_are_out_of_reach_and_own_ones_are_not(box, level, mode):
    place = box.directory("volume")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(place / "host.sock"))
    (place / "host.sock").chmod(0o777)
    listener.listen(8)
    listener.setblocking(False)
    profile = box.derive(level, {"kill_switches": [], "languages.python.blocked_modules": [],
                                 "languages.python.allowed_modules": "all",
                                 "filesystem.allowed_mounts": [str(place)]})
    r = box.json("python", SOCKETS, profile=profile, options=["--volume", "%s:/data:%s" % (place, mode)])
    assert (r["reason"], r["stdout"]) == ("completed", ANSWERS), r
    with pytest.raises(BlockingIOError):
        listener.accept()
    without = box.json("python", SOCKETS.replace("/data", "/tmp"), profile=profile)
    assert "pair of datagrams (<socket" in without["stdout"] and "own b'mine'" in without["stdout"], without


def test_a_connect_that_waits_ends_with_its_run(box):
    """The backlog is full: a process of ours waits in connect(2) for each that asks, and more than there may be are
    told to try again."""
    place = box.directory("volume")
    code = r"""
import os, socket, threading, time
listener = socket.socket(socket.AF_UNIX)
listener.bind("/tmp/own.sock")
listener.listen(0)
answers = []
def connect():
    s = socket.socket(socket.AF_UNIX)
    try:
        s.connect("/tmp/own.sock")
        answers.append("ok")
        time.sleep(60)
    except OSError as error:
        answers.append(error.strerror)
for _ in range(25):
    threading.Thread(target=connect, daemon=True).start()
while len(answers) < 2 or "Resource temporarily unavailable" not in answers:
    time.sleep(0.01)
print(sorted(set(answers)), flush=True)
os._exit(3)
"""
    profile = box.derive("low", {"filesystem.allowed_mounts": [str(place)]})
    r = box.json("python", code, profile=profile, options=["--volume", "%s:/data:ro" % place])
    assert (r["exit_code"], r["stdout"]) == (3, "['Resource temporarily unavailable', 'ok']\n"), r


def own_directories(box):
    """Where this box's runs keep things, and one above, one below and one beside."""
    state, cache = pathlib.Path(box.env["XDG_STATE_HOME"]), pathlib.Path(box.env["XDG_CACHE_HOME"])
    (box.log_dir / "artifacts").mkdir(parents=True, exist_ok=True)
    return {"state": state / "sandbox-agent", "state's parent": state, "cache": cache / "sandbox-agent",
            "cache's parent": cache, "log": box.log_dir,
            "below the log": box.log_dir / "artifacts", "configuration": box.dir / "config/sandbox-agent",
            "all": box.dir}


@pytest.mark.parametrize("mode", ["ro", "rw"])
@pytest.mark.parametrize("is_first", [True, False])
def test_a_volume_over_our_own_directories_is_refused(box, mode, is_first):
    if not is_first:  # what a run makes is there now
        assert box.run("bash", "true", level="low").code == 0
    for what, place in own_directories(box).items():
        if not place.exists():
            continue
        profile = box.derive("low", {"filesystem.allowed_mounts": [str(box.dir)]})
        done = box.run("bash", "ls -a /data", profile=profile, options=["--volume", "%s:/data:%s" % (place, mode)])
        assert done.code == 123 and "volume %s: it would show " % place in done.words, (what, done)
    work = box.directory("work")
    done = box.run("bash", "ls -a /data", level="low", options=["--volume", "%s:/data:%s" % (work, mode)])
    assert done.code == 0, done


def test_a_volume_that_reaches_our_directories_by_another_name_is_refused(box):
    """XDG_STATE_HOME and the cache behind symbolic links, and not there yet."""
    real = box.directory("real")
    (box.dir / "link").symlink_to(real)
    env = {"XDG_STATE_HOME": str(box.dir / "link/state"), "XDG_CACHE_HOME": str(box.dir / "link/cache")}
    profile = box.derive("low", {"filesystem.allowed_mounts": [str(real)]})
    done = box.run("bash", "true", profile=profile, options=["--volume", "%s:/data:ro" % real], env=env)
    assert done.code == 123 and "it would show" in done.words, done


def test_a_volume_may_not_change_the_profile_or_configuration_of_the_next_run(box):
    work = box.directory("work")
    profile = box.derive("low", {"filesystem.allowed_mounts": [str(work)]})
    (work / "profile.yaml").write_text(profile.read_text())
    run = lambda mode: box.run("bash", "true", profile=work / "profile.yaml",
                               options=["--volume", "%s:/data:%s" % (work, mode)])
    assert run("ro").code == 0
    done = run("rw")
    assert done.code == 123 and "which has sandbox-agent's profile" in done.words, done


# ---- devices ----

@pytest.mark.parametrize("node", ["null", "zero", "full", "urandom"])
@pytest.mark.parametrize("what", ["a file", "another device"])
def test_a_device_node_that_is_something_else_is_not_shown(box, node, what):
    """A host whose /dev/null became a file: its content is the host's."""
    secret = box.file("secret", "secret of the host\n")
    other = "/dev/zero" if node != "zero" else "/dev/null"
    # root there only to mount
    own = [] if is_root() else ["unshare", "-U", "--map-user=%d" % os.getuid(), "--map-group=%d" % os.getgid()]
    box.prefix = ["unshare", "-m" if is_root() else "-Urm", "sh", "-c", 'mount --bind "$0" /dev/%s && exec "$@"' % node,
                  secret if what == "a file" else other, *own]
    if subprocess.run([*map(str, box.prefix), "true"], capture_output=True).returncode:
        skip("no mount namespace of our own to be had here")
    done = box.command("cat", "/dev/" + node, profile=box.derive("low", {}))
    assert done.code == 125 and b"secret" not in done.out, done
    assert ("/dev/%s is not the device of that name" % node in done.words
            and "mknod -m 666 /dev/%s c 1 " % node in done.words), done
    checks = json.loads(box.agent("doctor", "--json").text)
    assert (checks["host"]["devices"]["status"] == "fail"
            and checks["host"]["devices"]["wrong"] == ["/dev/" + node]), checks["host"]["devices"]
