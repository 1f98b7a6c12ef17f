"""place.py - where a private engine lives: a network and mounts of its own, and a parent that its orphans cannot
escape.

    place.py       as root; one JSON object {"argv", "log", "env"} a line on stdin, the pid of what it started a line on
    stdout

The engine, its containerd, shims, sandboxes and monitors are all descendants of this process, because it is their
subreaper; processes keep the numbers they have outside, so that the pid an engine tells is one that others can look at.
At the end of stdin, thus also when the tests were killed, it kills all of them; their mounts and networks go with the
namespaces.
"""
import ctypes
import json
import os
import signal
import subprocess
import sys
import time

CLONE_NEWNS, CLONE_NEWNET, MS_REC, MS_SLAVE, PR_SET_CHILD_SUBREAPER = 0x20000, 0x40000000, 0x4000, 0x80000, 36
# What engines write wherever their own directories are: sockets of shims and plug-ins, locks; keys, networks, leases.
PRIVATE = ("/run", "/dev/shm")
COPIED_ON_WRITE = ("/etc", "/opt", "/var/lib")
libc = ctypes.CDLL(None, use_errno=True)


def check(result, what):
    if result:
        raise OSError(ctypes.get_errno(), "%s: %s" % (what, os.strerror(ctypes.get_errno())))


def enter():
    check(libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), "PR_SET_CHILD_SUBREAPER")
    check(libc.unshare(CLONE_NEWNS | CLONE_NEWNET), "own mounts and network (root is needed)")
    check(libc.mount(b"none", b"/", None, MS_REC | MS_SLAVE, None), "mounts of one's own")
    for path in PRIVATE:
        check(libc.mount(b"tmpfs", path.encode(), b"tmpfs", 0, b"mode=755"), "a private " + path)
    for path in COPIED_ON_WRITE:
        upper, work = "/run/upper" + path, "/run/work" + path
        os.makedirs(upper)
        os.makedirs(work)
        options = "lowerdir=%s,upperdir=%s,workdir=%s" % (path, upper, work)
        check(libc.mount(b"overlay", path.encode(), b"overlay", 0, options.encode()), "a private copy of " + path)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    # this network's; a dockerd without root may not set it, and insists
    with open("/proc/sys/net/ipv4/ip_forward", "w", encoding="ascii") as f:
        f.write("1")


def parents():
    """pid -> its parent's pid"""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % name, encoding="utf-8", errors="replace") as f:
                found[int(name)] = int(f.read().rpartition(")")[2].split()[1])
        except OSError:
            continue
    return found


def descendants(root):
    above, found = parents(), {root}
    while True:
        more = {pid for pid, parent in above.items() if parent in found} - found
        if not more:
            return found - {root}
        found |= more


def reap():
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                return
        except ChildProcessError:
            return


def kill_all():
    deadline = time.monotonic() + 90
    while True:
        left = descendants(os.getpid())
        if not left or time.monotonic() > deadline:
            return left
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.02)
        reap()


def start(order):
    with open(order["log"], "ab") as log:
        # Popen itself would not see its child, which the handler reaps
        return subprocess.Popen(order["argv"], stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=order["env"],
                                start_new_session=True).pid


def main():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # for whoever started it: it ends with its stdin
    enter()
    signal.signal(signal.SIGCHLD, lambda *_: reap())
    print("ready", flush=True)
    for line in sys.stdin:
        try:
            print(start(json.loads(line)), flush=True)
        except OSError as e:
            print("cannot start: %s" % e, flush=True)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    left = kill_all()
    if left:
        print("still there: %s" % sorted(left), flush=True)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
