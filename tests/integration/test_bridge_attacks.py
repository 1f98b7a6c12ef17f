"""Attacks on the processes of mode bridge from outside of the sandbox, and between sandboxes.

What a program can try against the broker from within stands in tests/escape/attacks/net_broker_*.c. Here the broker is
killed and stopped, flooded by one sandbox while another one measures, and two sandboxes try to hand each other sockets.
Peers are listeners on the host's loopback (test_watch.Peer), allowed by a rule; a second one is forbidden and counts
who comes.
"""
import contextlib
import os
import signal
import socket
import subprocess

import pytest
from helpers import children, descendants, is_root, kill_quietly, namespaces, poll, read, reap_orphans, status
from test_watch import Peer, compiled


@pytest.fixture
def peer():
    p = Peer("sink")
    yield p
    p.close()


@pytest.fixture
def forbidden():
    s = socket.create_server(("127.0.0.1", 0))
    s.setblocking(False)
    yield s
    with contextlib.suppress(BlockingIOError):
        s.accept()
        pytest.fail("somebody reached the forbidden listener")
    s.close()


def bridged(box, peer, **changes):
    return box.derive("low", {"network.allow": peer.rules, "network.max_connections": 0,
                              "network.max_connections_per_second": 0, **changes})


def named(launcher, name):
    return sorted(p for p in descendants(launcher) if read("/proc/%d/comm" % p).strip().startswith(name))


def brokers(live):
    """Its processes: (broker, inside and resolver)."""
    found = poll(lambda: not named(live.launcher, "sandbox-broker")) or named(live.launcher, "sandbox-broker")
    assert found, "no broker runs"
    top = [p for p in found if p in children(live.launcher)]
    assert len(top) == 1, found
    return top[0], [p for p in found if p != top[0]]


# connects, says ready, then tries again and again and prints what came of it
TRYING = """
import os, socket, sys, time
host, port = os.environ["SERVER"].split(":")
first = socket.create_connection((host, int(port)))
print("ready", flush=True)
WAIT
for i in range(1000):
    try:
        s = socket.create_connection((host, int(port)))
        print("connected", flush=True)
        s.close()
    except OSError as e:
        print("failed", e, flush=True)
    time.sleep(0.05)
"""


def trying(box, peer, is_waiting=False, timeout=40):
    """Such a program, once it has connected. is_waiting: it goes on when its stdin is closed."""
    live = box.start(*box.words("python", TRYING.replace("WAIT", "sys.stdin.read()" if is_waiting else "pass"),
                                profile=bridged(box, peer),
                                options=["--json", "--env", "SERVER=" + peer.env["SERVER"], "--timeout", timeout,
                                         *(["--stdin", "-"] if is_waiting else [])]),
                     **({"stdin": subprocess.PIPE} if is_waiting else {}))
    assert not poll(lambda: peer.accepted < 1), "it never connected"
    return live


def go_on(live):
    live.process.stdin.close()
    live.process.stdin = None


# ---- death and sleep of the broker's processes ----

def test_a_killed_broker_ends_the_run(box, peer, forbidden):
    live = trying(box, peer)
    broker, _ = brokers(live)
    poll(lambda: not peer.heard and peer.accepted < 2)
    os.kill(broker, signal.SIGKILL)
    done = live.finish()
    # not «timeout»: nobody waited for the deadline
    assert done.result["reason"] == "sandbox_error" and done.code == 125, done
    assert "broker" in done.result["error"]["message"] + done.result["error"]["step"], done.result["error"]


def test_a_stopped_broker_opens_nothing_and_the_deadline_ends_the_run(box, peer):
    live = trying(box, peer, is_waiting=True, timeout=4)
    broker, _ = brokers(live)
    os.kill(broker, signal.SIGSTOP)
    try:
        go_on(live)
        done = live.finish()
    finally:
        kill_quietly(broker, signal.SIGCONT)
    assert done.result["reason"] == "timeout" and done.code == 124, done
    assert ("connected" not in done.result["stdout"]
            and peer.accepted == 1), "a stopped broker let somebody through: %s" % done


def test_whoever_else_is_killed_opens_nothing(box, peer, forbidden):
    """The factory inside and the resolver: the run may go on without names, or end, but soon, and nothing more is
    reached."""
    live = trying(box, peer, timeout=3)
    _, others = brokers(live)
    poll(lambda: peer.accepted < 2)
    for pid in others:
        kill_quietly(pid)
    done = live.finish()
    # the command line itself ends a run some seconds after its deadline: with another reason
    assert done.result["reason"] in ("timeout", "sandbox_error"), done


def test_a_killed_launcher_takes_the_broker_along(box, peer):
    live = trying(box, peer)
    broker, others = brokers(live)
    os.kill(live.launcher, signal.SIGKILL)
    done = live.finish()
    assert done.result["reason"] == "sandbox_error", done
    def alive():
        reap_orphans()
        return [p for p in (broker, *others) if read("/proc/%d/comm" % p).startswith("sandbox-broker")]
    assert not poll(alive), "outlived its launcher"


FIRST = r"""
#include <arpa/inet.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(9)};
    pid_t pid = fork();
    if (pid == 0) {
        (void)!connect(socket(AF_INET, SOCK_STREAM, 0), (void *)&a, sizeof a);
        _exit(0);
    }
    usleep((unsigned)atoi(argv[1]));
    if (argc == 2)
        kill(pid, SIGKILL);
    return 0; /* argc 3: with all the others */
}
"""


def test_who_dies_while_the_broker_is_started_for_it_harms_nobody(box, peer):
    """The first network call of a run, whose caller is gone before the launcher has found its namespaces."""
    programs = box.directory("programs", 0o755)
    compiled(box.file("first.c", FIRST), programs / "first")
    profile = bridged(box, peer, **{"filesystem.allowed_mounts": [str(programs)]})
    for i in range(16):
        r = box.command_json("/programs/first", str(i // 2 * 100), *(["all"] if i % 2 else []), profile=profile,
                             options=["--volume", "%s:/programs:ro" % programs])
        assert (r["reason"], r["exit_code"]) == ("completed", 0), (i, r)


# ---- what these processes may ----

def need_to_look_in():
    if not is_root():
        pytest.skip("the broker lets no process of its user look into it; as root it is looked at")


def test_the_broker_and_its_helpers_are_confined(box, peer):
    need_to_look_in()
    live = trying(box, peer, is_waiting=True)
    broker, others = brokers(live)
    ours, payload = namespaces("self"), namespaces(live.payload())
    for pid in (broker, *others):
        st, spaces = status(pid), namespaces(pid)
        assert st["NoNewPrivs"].strip() == "1" and st["Seccomp"].strip() == "2", (pid, st)
        is_inside = spaces["net"] == payload["net"]
        # CAP_SYS_PTRACE; CAP_NET_BIND_SERVICE of the sandbox's own network
        needed = 1 << 19 if pid == broker else 1 << 10 if is_inside else 0
        assert int(st["CapEff"], 16) & ~needed == 0 and int(st["CapPrm"],
                                                            16) & ~needed == 0, (pid, st["CapEff"], st["CapPrm"])
        assert "0" not in st["Uid"].split() or not is_root(), "runs as root: %s" % st["Uid"]
        assert spaces["user"] == payload["user"] != ours["user"], (pid, spaces)
        assert is_inside or (spaces["net"] == ours["net"] and ours["net"] != payload["net"]), (pid, spaces)
    live.process.terminate()
    live.finish()


# ---- many at once ----

FLOOD = r"""
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static int port;
static long count;
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6; }
static void *flood(void *arg)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    (void)arg;
    for (;; count++) {
        int s = socket(AF_INET, SOCK_STREAM, 0);
        a.sin_port = htons(count % 2 ? (unsigned short)port : 1);
        (void)!connect(s, (void *)&a, sizeof a);
        (void)ptrace(PTRACE_ATTACH, 1, 0, 0);
        (void)syscall(SYS_bpf, 0, 0, 0);
        close(s);
    }
    return NULL;
}
static int by_size(const void *a, const void *b) { return *(const double *)a < *(const double *)b ? -1 : 1; }
int main(int argc, char **argv)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    port = atoi(argv[2]);
    a.sin_port = htons((unsigned short)port);
    if (argv[1][0] == 'f') {
        pthread_t t[8];
        for (int i = 0; i < 8; i++) pthread_create(&t[i], NULL, flood, NULL);
        for (int i = 0; i < 8; i++) pthread_join(t[i], NULL);
    }
    static double took[4000];
    int n = 0;
    for (double end = now() + 1500; now() < end && n < 4000; usleep(4000)) {
        int s = socket(AF_INET, SOCK_STREAM, 0);
        double start = now();
        if (connect(s, (void *)&a, sizeof a) < 0) { perror("connect"); return 1; }
        took[n++] = now() - start;
        close(s);
    }
    qsort(took, (size_t)n, sizeof took[0], by_size);
    printf("%d %.3f %.3f %.3f\n", n, took[n / 2], took[n * 99 / 100], took[n - 1]);
}
"""


def test_a_flood_in_one_sandbox_leaves_another_ones_calls_alone(box):
    programs = box.directory("programs", 0o755)
    compiled(box.file("flood.c", FLOOD), programs / "flood")
    peers = [Peer("sink"), Peer("sink")]
    try:
        def start(role, peer, **changes):
            profile = bridged(box, peer, **{"filesystem.allowed_mounts": [str(programs)], **changes})
            return box.start("--json", "--profile", profile, "--volume", "%s:/programs:ro" % programs, "--timeout",
                             "110", "--",
                             "/programs/flood", role, peer.env["SERVER"].split(":")[1])
        flood = start("flood", peers[1])
        assert not poll(lambda: peers[1].accepted < 50), "no flood"
        # a flood that delays others does so each time; a machine that is busy otherwise is so for a while
        for _ in range(5):
            before = peers[1].accepted
            measured = start("measure", peers[0]).finish().result
            assert (measured["reason"] == "completed" and flood.process.poll() is None
                    and peers[1].accepted > before), measured
            count, median, p99, worst = map(float, measured["stdout"].split())
            print("connects beside a flood of %d: %s (count, median, p99, worst)"
                  % (peers[1].accepted - before, measured["stdout"].strip()))
            if count > 50 and median < 20 and p99 < 200:
                break
        flood.process.terminate()
        assert flood.finish().result["reason"] == "killed"
    finally:
        for p in peers:
            p.close()
    assert count > 50 and median < 20 and p99 < 200, "another sandbox's flood delays this one: %s" % measured["stdout"]


def test_connections_leave_nothing_behind_in_the_broker(box):
    need_to_look_in()
    code = """
import os, socket, sys
host, port = os.environ["SERVER"].split(":")
def some(n):
    for i in range(n):
        s = socket.create_connection((host, int(port)))
        s.sendall(b"x")
        s.close()
some(20)
print("first", flush=True)
sys.stdin.readline()
some(300)
for i in range(50):
    try: socket.create_connection((host, 1), 1)
    except OSError: pass
print("second", flush=True)
sys.stdin.readline()
"""
    peer = Peer("sink")
    try:
        live = box.live("python", code, marker=b"first", profile=bridged(box, peer), stdin=subprocess.PIPE,
                        options=["--stdin", "-", "--env", "SERVER=" + peer.env["SERVER"], "--timeout", "60"])
        broker, _ = brokers(live)
        count = lambda: len(os.listdir("/proc/%d/fd" % broker))
        poll(lambda: count() > 40)
        before = count()
        live.process.stdin.write(b"\n")
        live.process.stdin.flush()
        live.wait_for(b"second")
        assert not poll(lambda: count() > before
                        + 5), "the broker has %d descriptors, before 350 connections it had %d" % (count(), before)
        memory = int(status(broker)["VmRSS"].split()[0])
        assert memory < 16384, "the broker takes %d KiB" % memory
        live.process.stdin.write(b"\n")
        live.process.stdin.close()
        live.process.stdin = None
        assert live.finish().code == 0
    finally:
        peer.close()


# ---- between sandboxes ----

GIVE = """
import os, socket, time
for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
    try:
        s = socket.socket(socket.AF_UNIX, kind)
        s.bind("/shared/meeting-%d" % kind)
        print("BOUND", kind)
    except OSError as e:
        print("refused", e.strerror)
try:
    os.mknod("/shared/node", 0o140666)
    print("BOUND mknod")
except OSError as e:
    print("refused", e.strerror)
try:
    s = socket.socket(socket.AF_UNIX)
    s.bind("/tmp/own")
    os.link("/tmp/own", "/shared/linked")
    print("BOUND link")
except OSError as e:
    print("refused", e.strerror)
try:
    os.rename("/tmp/own", "/shared/renamed")
    print("BOUND rename")
except OSError as e:
    print("refused", e.strerror)
"""


@pytest.mark.parametrize("mode", ["bridge", "none"])
def test_no_meeting_place_for_descriptors_in_a_shared_volume(box, peer, mode):
    """Two sandboxes that share a directory: neither can put a socket there by which the other would be given a
    connection."""
    shared = box.directory("shared", 0o777)
    keys = {"filesystem.allowed_mounts": [str(shared)], "network.allow": peer.rules}
    if mode == "none":
        keys.update({"network.mode": "none", "network.dns": "disabled", "network.ports": [], "network.allow": []})
    r = box.json("python", GIVE, profile=box.derive("low", keys), options=["--volume", "%s:/shared:rw" % shared])
    assert r["reason"] == "completed" and "BOUND" not in r["stdout"] and r["stdout"].count("refused") == 6, r
    assert [n for n in os.listdir(shared)] == []


def test_abstract_names_of_two_bridged_sandboxes_do_not_meet(box, peer):
    name = "meeting-%d" % os.getpid()
    holder = box.live("python", "import socket, time\ns = socket.socket(socket.AF_UNIX)\ns.bind('\\0%s')\ns.listen()\n"
                                "print('ready', flush=True)\ntime.sleep(60)\n" % name, profile=bridged(box, peer))
    r = box.json("python", "import socket\ntry: socket.socket(socket.AF_UNIX).connect('\\0%s'); print('MET')\n"
                           "except OSError: print('refused')\n" % name, profile=bridged(box, peer))
    assert r["stdout"] == "refused\n", r
    holder.process.terminate()
    holder.finish()
