"""Descriptors that cannot be had: the n-th call of the service that makes one fails, for every n of a request, and then
all of them fail for a while. Nothing may stay open, and afterwards the service is what it was before."""
import mmap
import os
import signal
import struct
import time

import helpers
import load
import pytest
from service import Service, preloaded

# SANDBOX_TEST_COUNTDOWN names a file that is mapped: a number n > 0 counts down with each call that makes descriptors,
# and the call that reaches 0 fails.
# SIGUSR2 sets the limit of descriptors to the number behind it: the tests' root may not do that from outside
# (CAP_SYS_RESOURCE).
SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/types.h>
static _Atomic int *countdown;
static void limit(int number)
{
    struct rlimit l;
    getrlimit(RLIMIT_NOFILE, &l);
    l.rlim_cur = (rlim_t)countdown[1];
    setrlimit(RLIMIT_NOFILE, &l);
}
__attribute__((constructor)) static void start(void)
{
    const char *path = getenv("SANDBOX_TEST_COUNTDOWN");
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    int fd = path && strcmp(program_invocation_short_name, "sandboxd") == 0 ? real(path, O_RDWR | O_CLOEXEC) : -1;
    void *p = fd < 0 ? MAP_FAILED : mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    countdown = p == MAP_FAILED ? NULL : p;
    if (countdown)
        signal(SIGUSR2, limit);
}
static int fails(void)
{
    if (!countdown || *countdown <= 0 || --*countdown != 0)
        return 0;
    errno = EMFILE;
    return 1;
}
#define SHIM(type, name, words, args) type name words { static type (*real) words; if (!real) real = dlsym(RTLD_NEXT, #name); return fails() ? -1 : real args; }
SHIM(int, pipe2, (int *ends, int flags), (ends, flags))
SHIM(int, socketpair, (int d, int t, int p, int *ends), (d, t, p, ends))
SHIM(int, socket, (int d, int t, int p), (d, t, p))
SHIM(int, memfd_create, (const char *n, unsigned f), (n, f))
SHIM(int, eventfd, (unsigned n, int f), (n, f))
SHIM(int, inotify_init1, (int f), (f))
#define OPEN(name, words, ...) int name words { static int (*real)(); va_list a; va_start(a, flags); int mode = va_arg(a, int); va_end(a); \
    if (!real) real = dlsym(RTLD_NEXT, #name); return fails() ? -1 : real(__VA_ARGS__, mode); }
OPEN(open, (const char *p, int flags, ...), p, flags)
OPEN(open64, (const char *p, int flags, ...), p, flags)
OPEN(openat, (int d, const char *p, int flags, ...), d, p, flags)
OPEN(openat64, (int d, const char *p, int flags, ...), d, p, flags)
"""
REQUESTS = {
    "shell with input": {"language": "bash", "code": "cat; echo done", "risk_level": "low", "stdin": "x" * 1000},
    "python of an agent": {"language": "python", "code": "print(1)", "risk_level": "medium", "agent_id": "descriptors"},
    "unread input": {"language": "bash", "code": "true", "risk_level": "low", "stdin": "x" * 300000},
}


def descriptors(service):
    pid = service.pids("sandboxd")[0]
    found = {}
    for name in os.listdir("/proc/%d/fd" % pid):
        try:
            found[int(name)] = os.readlink("/proc/%d/fd/%s" % (pid, name))
        except OSError:
            pass
    return found


def count(service):
    """How many are open. Two more of state.db are not counted: when the connection of a checkpoint closes, SQLite keeps
    its descriptor while another connection has a lock, and the next checkpoint takes it again; one that failed in the
    middle may leave a second one so. A fourth one would count."""
    found = list(descriptors(service).values())
    return len(found) - min(2, max(0, sum(name.endswith("/state.db") for name in found) - 1))


def settled(service, most, patience=60):
    """Until no more than `most` are open: what is given back may be so a moment after the answer."""
    assert not helpers.poll(lambda: max(0, count(service) - most),
                            patience), "%d: %s" % (most, " ".join("%d=%s" % d
                                                                  for d in sorted(descriptors(service).items())))


def ask(service, body):
    """In a connection of its own, which leaves no descriptor behind."""
    with service.connection() as session:
        return service.request("POST", "/execute", json=body, session=session, headers={"Connection": "close"},
                               timeout=120)


@pytest.fixture(scope="module")
def counted():
    with preloaded(SHIM) as env:
        with Service(load.UNLIMITED, env=env, start=False) as s:
            path = s.dir / "countdown"
            path.write_bytes(bytes(4096))
            path.chmod(0o666)
            s.env["SANDBOX_TEST_COUNTDOWN"] = str(path)
            s.start()
            s.session.close()
            with open(path, "r+b") as f, mmap.mmap(f.fileno(), 4096) as m:
                s.countdown = m
                yield s


@pytest.mark.parametrize("what", REQUESTS)
def test_a_descriptor_that_cannot_be_had_leaves_none_open(counted, what):
    body = REQUESTS[what]
    for _ in range(3):
        assert ask(counted, body).status_code == 200, counted.logs
    time.sleep(0.2)
    most, statuses = count(counted) + 1, {}  # idle connections to the launcher come and go: one more or less
    for n in range(1, 200):
        counted.countdown[:4] = struct.pack("i", n)
        answer = ask(counted, body)
        left, counted.countdown[:4] = struct.unpack("i", counted.countdown[:4])[0], struct.pack("i", 0)
        statuses[n] = answer.status_code
        assert answer.status_code in (200, 500, 503), (n, answer.text)
        if answer.status_code == 200:
            r = answer.json()
            assert (r["reason"], r["exit_code"]) == ("completed", 0) or r["error"], (n, r)
        if left > 0:
            break
    assert n > 8 and left > 0 and set(statuses.values()) > {200}, statuses
    settled(counted, most)
    for _ in range(3):
        assert ask(counted, body).status_code == 200, counted.logs
    settled(counted, most)


def test_input_that_no_program_reads_leaves_no_descriptor_open(counted):
    body = REQUESTS["unread input"]
    assert ask(counted, body).status_code == 200
    time.sleep(0.2)
    most = count(counted) + 1
    for _ in range(20):
        assert ask(counted, body).status_code == 200
    settled(counted, most)


def limit(service, number):
    service.countdown[4:8] = struct.pack("i", number)
    os.kill(service.pids("sandboxd")[0], signal.SIGUSR2)
    at = "/proc/%d/limits" % service.pids("sandboxd")[0]
    assert not helpers.poll(lambda: "Max open files            %d " % number not in helpers.read(at), 60)


def limit_leaving(service, room):
    """A limit with so many free numbers below it, which need not be the highest ones."""
    used = descriptors(service)
    return [n for n in range(4096) if n not in used][room - 1] + 1


def test_after_all_descriptors_were_gone_the_service_is_what_it_was(counted):
    body = REQUESTS["shell with input"]
    for _ in range(3):
        assert ask(counted, body).status_code == 200
    time.sleep(0.2)
    before, pid, refused, patient = count(counted), counted.pids("sandboxd"), 0, 0
    try:
        for room in range(1, 24):
            limit(counted, limit_leaving(counted, room))
            with counted.connection() as session:
                try:
                    answer = counted.request("POST", "/execute", json=body, session=session,
                                             timeout=3 if room < 3 else 60)
                    refused += answer.status_code != 200
                    assert answer.status_code in (200, 500, 503), answer.text
                except OSError:  # not even the connection could be taken
                    patient += 1
        assert refused and patient < 10, "it never ran out of descriptors"
    finally:
        limit(counted, 1024)
    assert not helpers.poll(lambda: counted.outside("GET", "/readyz", session=counted.connection()).status_code != 200,
                            60)
    for _ in range(3):
        assert ask(counted, body).json()["stdout"] == "x" * 1000 + "done\n"
    settled(counted, before + 1)
    assert counted.pids("sandboxd") == pid
