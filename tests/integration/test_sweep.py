"""The system call sweep: docs/syscalls.md, the command that makes it, and what the kernel answers inside agree, call by
call.

    pytest tests/integration/test_sweep.py

tests/sweep/sweep.c runs inside, at each level, and says for every number two things: what the filter in force answers,
without making the call («ask», with all arguments zero, with all bits set, and with the arguments of ARGUMENTS below),
and what comes of making it («call»). «ask» tells a refusal by the filter from one by the kernel for want of a
capability, except ENOSYS from a permission; «call» tells these two apart wherever this kernel has the call, for which
the same call is made outside too.

The profiles are the shipped ones without what hinders the sweep: shell_access, allowed_mounts, kill switches. None of
these reaches the filter. For the comparison with the table the watch is off, since a call that it asks about and lets
continue is made; that it changes no answer is a test of its own.
"""
import collections
import functools
import os
import platform
import shutil
import subprocess

import pytest
from helpers import LEVELS, POLICY, ROOT, is_root, skip, status

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="sweep.c speaks x86_64 only")

SOURCE = ROOT / "tests/sweep/sweep.c"
NOBODY = 61234  # who makes calls outside when we are root: has no entry in /etc/passwd and owns nothing
ONES, ZEROS = [-1] * 6, [0] * 6
NO_PID = 0x7ffffffe

# What -1 in every argument would do too much, or say nothing about. sweep.c gives rt_sigreturn and pause their signal.
HARMLESS = {"fork": [0], "vfork": [0], "exit": [77], "exit_group": [77], "kill": [NO_PID, 0], "tkill": [NO_PID, 0],
            "tgkill": [NO_PID, NO_PID, 0],
            "futex": ["@buf", 1, 1],  # FUTEX_WAKE: an operation that does not exist is ENOSYS from the kernel
            "msgget": [NO_PID, 0]}    # -1 says IPC_CREAT
LEAVES = ("exit", "exit_group")
# A kernel from 6.14 (6.18) on looks at these before the filter (seccomp_uprobe_exception() in kernel/seccomp.c); from
# anywhere but its own trampoline it answers with SIGILL (ENXIO).
BEFORE_THE_FILTER = ("uretprobe", "uprobe")
STRANGERS = [*range(472, 561), 600, 1000, 1024, 4096, 65535, 0x3fffffff, 0x7fffffff, 0x80000000, 0x80000027, 0xffffffff]
X32 = [0x40000000 | nr for nr in (0, 1, 16, 39, 57, 59, 101, 165, 272, 512, 520, 547, 0x3ff)] + [0xc0000027]
I386 = {"restart_syscall": 0, "fork": 2, "open": 5, "execve": 11, "getpid": 20, "mount": 21, "ptrace": 26, "reboot": 88,
        "socketcall": 102, "clone": 120,
        "mmap2": 192, "io_setup": 245, "unshare": 310, "clone3": 435, "unknown": 600}

AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_TIPC, AF_ALG, AF_VSOCK = 1, 2, 10, 16, 17, 30, 38, 40
STREAM, DGRAM, SEQPACKET, CLOEXEC_NONBLOCK = 1, 2, 5, 0o2004000
SIGCHLD, THREAD = 17, 0x50f00  # VM, FS, FILES, SIGHAND, THREAD, SYSVSEM
NEW = {"NEWNS": 0x20000, "NEWCGROUP": 0x2000000, "NEWUTS": 0x4000000, "NEWIPC": 0x8000000, "NEWUSER": 0x10000000,
       "NEWPID": 0x20000000, "NEWNET": 0x40000000}
CREAT, TMPFILE, CWD = 0o100, 0o20200002, -100
GARBAGE = 0xffffffff00000000
KEEP, OWN = 0xffffffff, ["own"]  # ids: «unchanged», and the payload's, which each level has its own of
IDS = {"low": 1000, "medium": 65534, "high": 65534}

# (call, arguments, the filter's answer, the kernel's when the call is permitted; None: depends on the kernel)
# An answer is a word for all levels, three words for low, medium and high, or «ERRNO?»: this errno where the level's
# cell lists it, else allow.
INET = ("allow", "allow", "EAFNOSUPPORT")
NO_PROTOCOL = ("EPROTONOSUPPORT", "EPROTONOSUPPORT", "EAFNOSUPPORT")
# What is refused at low only: it would turn a socket that the broker made
AT_LOW, BROKERED_ONLY = ("EPERM", "allow", "allow"), ("EOPNOTSUPP", "allow", "allow")
OOB, FASTOPEN = ("allow", "EOPNOTSUPP", "EOPNOTSUPP"), 0x20000000
ARGUMENTS = [
    ("socket", [AF_UNIX, STREAM, 0], "allow", "ok"),
    ("socket", [AF_UNIX, SEQPACKET | CLOEXEC_NONBLOCK, 0], "allow", "ok"),
    ("socket", [GARBAGE | AF_UNIX, STREAM, 0], "allow", "ok"),
    ("socket", [AF_INET, STREAM, 0], INET, "ok"),
    ("socket", [AF_INET, STREAM | CLOEXEC_NONBLOCK, 6], INET, "ok"),
    ("socket", [AF_INET6, DGRAM, 17], INET, None),
    *[("socket", [family, kind, 0], "EAFNOSUPPORT", None)
      for family in (0, AF_NETLINK, AF_PACKET, AF_TIPC, AF_ALG, AF_VSOCK, 99) for kind in (DGRAM, SEQPACKET)],
    ("socket", [GARBAGE | AF_VSOCK, STREAM, 0], "EAFNOSUPPORT", None),
    *[("socket", [AF_INET, *more], NO_PROTOCOL, None)
      for more in ([SEQPACKET, 0], [STREAM, 262], [STREAM, 132], [DGRAM, 1], [6, 0], [STREAM, 0x100000106])],
    ("socketpair", [AF_UNIX, STREAM, 0, "@buf"], "allow", "ok"),
    # DGRAM not where volumes are mounted: test_fence.py
    ("socketpair", [AF_UNIX, SEQPACKET | CLOEXEC_NONBLOCK, 0, "@buf"], "allow", "ok"),
    *[("socketpair", [family, STREAM, 0, "@buf"], "EAFNOSUPPORT", None)
      for family in (AF_INET, AF_TIPC, GARBAGE | AF_TIPC)],
    ("setsockopt", [-1, 6, 31, "@buf", 4], "EPERM", None),
    ("setsockopt", [-1, GARBAGE | 6, GARBAGE | 31, "@buf", 4], "EPERM", None),
    ("setsockopt", [-1, 6, 1, "@buf", 4], "allow", "EBADF"),
    ("setsockopt", [-1, 1, 31, "@buf", 4], "allow", "EBADF"),
    ("sendto", [-1, "@buf", 1, 0], "allow", "EBADF"),
    ("sendto", [-1, "@buf", 1, 0x4001], OOB, "EBADF"),
    ("sendto", [-1, "@buf", 1, FASTOPEN], BROKERED_ONLY, "EBADF"),
    ("sendmsg", [-1, "@buf", 0], "allow", "EBADF"),
    ("sendmsg", [-1, "@buf", 1], OOB, "EBADF"),
    ("sendmsg", [-1, "@buf", GARBAGE | FASTOPEN], BROKERED_ONLY, "EBADF"),
    ("sendmmsg", [-1, "@buf", 1, 0], "allow", "EBADF"),
    ("sendmmsg", [-1, "@buf", 1, GARBAGE | 1], OOB, "EBADF"),
    ("sendmmsg", [-1, "@buf", 1, FASTOPEN], BROKERED_ONLY, "EBADF"),
    *[("setsockopt", [-1, *option, "@buf", 4], "EPERM", None)
      for option in ((6, 30), (6, 23), (0, 4), (0, 35), (0, 42), (41, 57), (41, 6), (41, 20), (41, 32), (41, 42),
                     (1, 25), (1, 26), (1, 50),
                                                                             (1, 51), (1, 52), (1, 62), (270, 1), (
                                                                                 GARBAGE | 1, GARBAGE | 25), (
                                                                                     GARBAGE | 1, GARBAGE | 26))],
    *[("ioctl", [-1, command, "@buf"], AT_LOW, "EBADF")
      for command in (0x8910, 0x8912, 0x8927, 0x894c, GARBAGE | 0x8912)],
    # CLONE_FILES: another process with the same descriptors
    ("clone", [0x400 | SIGCHLD], (AT_LOW[0], "allow", "notify"), "ok"),
    ("seccomp", [2, 0, "@buf"], "allow", "ok"),
    ("seccomp", [1, 0, 0], "allow", "EFAULT"),
    ("seccomp", [1, 8, 0], "EPERM", None),
    ("seccomp", [1, GARBAGE | 0x18, 0], "EPERM", None),
    *[("ioctl", [-1, high | command, "@buf"], "EPERM", None) for command in (0x5412, 0x541c, 0x5423)
      for high in (0, 1 << 32, 1 << 63, GARBAGE)],
    *[("ioctl", [-1, command, "@buf"], "allow", "EBADF") for command in (0x5401, 0x5413, 0x541b, 0x541200000000)],
    ("clone", [SIGCHLD], ("allow", "allow", "notify"), "ok"),
    ("clone", [GARBAGE | SIGCHLD], ("allow", "allow", "notify"), "ok"),
    ("clone", [THREAD], "allow", "ok"),
    *[("clone", [flag | SIGCHLD], "EPERM", None) for flag in NEW.values()],
    ("clone", [sum(NEW.values())], "EPERM", None),
    ("clone", [NEW["NEWUSER"] | THREAD], "EPERM", None),
    ("clone", [GARBAGE | NEW["NEWUSER"] | SIGCHLD], "EPERM", None),
    ("prctl", [3], "allow", "ok"),
    ("prctl", [15, "@buf"], "allow", "ok"),
    ("prctl", [56], "allow", None),
    ("prctl", [35, 1, 0], "EPERM", None),
    ("prctl", [GARBAGE | 35, 1, 0], "EPERM", None),
    *[("prctl", [option], "EINVAL", None) for option in (57, 0x53564d41, 1 << 31)],
    ("fcntl", [-1, 1, 0], "allow", "EBADF"),
    ("fcntl", [-1, 1031, 65537], "EPERM", None),
    ("fcntl", [-1, 1031, 65536], "allow", "EBADF"),
    ("fadvise64", [-1, 0, 0, 4], "EPERM", None),
    ("fadvise64", [-1, 0, 0, GARBAGE | 4], "EPERM", None),
    ("fadvise64", [-1, 0, 0, 2], "allow", "EBADF"),
    *[("ioctl", [-1, command, "@buf"], "ENOTTY", None)
      for command in (0x80111500, 0x80811501, 0x8008662c, GARBAGE | 0x80111500)],
    ("fcntl", [-1, 1026, 1], "EINVAL", None),
    ("fcntl", [-1, GARBAGE | 1026, 1], "EINVAL", None),
    ("prlimit64", [0, 7, 0, "@buf"], "allow", "ok"),
    ("prlimit64", [GARBAGE, 7, 0, "@buf"], "allow", "ok"),
    ("prlimit64", [1, 7, 0, "@buf"], "EPERM?", None),
    ("prlimit64", [-1, 7, 0, 0], "EPERM?", None),
    *[("personality", [persona], "allow", "ok") for persona in (0, 8, 0x20000, 0x20008, 0xffffffff)],
    *[("personality", [persona], "EPERM", None) for persona in (0x40000, 0x400000, 0x100000, 0x10, GARBAGE | 0x40000)],
    *[(call, [*before, mode], "EPERM?", error) for call, before, error in (
        ("chmod", ["@path"], "ENOENT"), ("fchmod", [-1], "EBADF"), ("fchmodat", [CWD, "@path"], "ENOENT"),
        ("fchmodat2", [CWD, "@path"], None),
        ("creat", ["@path"], "ENOENT"), ("mknod", ["@path"], "ENOENT"), ("mknodat", [CWD, "@path"], "ENOENT"),
        ("open", ["@path", CREAT], "ENOENT"), ("open", ["@path", TMPFILE], "ENOENT"),
        ("openat", [CWD, "@path", CREAT], "ENOENT"),
        ("openat", [CWD, "@path", TMPFILE], "ENOENT")) for mode in (0o4755, 0o2755, 0o6000, GARBAGE | 0o4755)],
    *[(call, [*before, mode], "allow", error) for call, before, error in (
        ("chmod", ["@path"], "ENOENT"), ("fchmod", [-1], "EBADF"), ("fchmodat", [CWD, "@path"], "ENOENT"),
        ("fchmodat2", [CWD, "@path"], None),
        ("creat", ["@path"], "ENOENT"), ("mknod", ["@path"], "ENOENT"), ("mknodat", [CWD, "@path"], "ENOENT"),
        ("open", ["@path", CREAT], "ENOENT"),
        ("openat", [CWD, "@path", TMPFILE], "ENOENT")) for mode in (0o755, 0o1777)],
    ("mknod", ["@path", 0o10644], "allow", "ENOENT"),
    *[("mknod", ["@path", kind | 0o644], "EPERM", None) for kind in (0o20000, 0o60000, GARBAGE | 0o60000)],
    *[("mknodat", [CWD, "@path", kind | 0o644], "EPERM", None) for kind in (0o20000, 0o60000, GARBAGE | 0o20000)],
    *[(call, [KEEP] * ids, "allow", None)
      for call, ids in (("setuid", 1), ("setgid", 1), ("setreuid", 2), ("setregid", 2), ("setresuid", 3),
                        ("setresgid", 3))],
    *[(call, OWN, "allow", "ok") for call in ("setuid", "setgid")],
    *[(call, [KEEP, *OWN, KEEP], "allow", "ok") for call in ("setresuid", "setresgid")],
    *[(call, [KEEP, *OWN, 7], "EPERM", None) for call in ("setresuid", "setresgid")],
    *[(call, [7], "EPERM", None) for call in ("setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid",
                                              "setfsuid", "setfsgid")],
    ("open", ["@path", 0, 0o6000], "allow", "ENOENT"),  # without O_CREAT the mode is whatever the register held
    ("openat", [CWD, "@path", 0, 0o6000], "allow", "ENOENT"),
]

Row = collections.namedtuple("Row", "name cell zeros ones")
# One question with the answer that the table promises. `wanted`: a result, or REACHED.
Case = collections.namedtuple("Case", "mode label nr args name wanted")
REACHED = "(the kernel's own answer)"


# ---- what the table promises ----

@functools.lru_cache(None)
def command(*words):
    done = subprocess.run([POLICY, "syscalls", *words], capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done
    return done.stdout


@functools.lru_cache(None)
def table(level):
    """nr -> Row"""
    found = {}
    for line in command("--tsv").splitlines():
        nr, name, where, cell, zeros, ones = line.split("\t")
        if where == level:
            assert int(nr) not in found
            found[int(nr)] = Row(name, cell, zeros, ones)
    assert sorted(found) == list(range(max(found) + 1)) and len(found) > 450
    return found


def outcomes(cell):
    """«args: allow, EPERM» -> {allow, EPERM}"""
    return set(cell.removeprefix("args: ").split(", "))


def promised_by_filter(answer):
    """What «ask» says to this answer."""
    return {"allow": "ENOSYS", "notify": "ok", "kill": "killed SIGSYS"}.get(answer, answer)


def promised_by_call(answer, kernel=REACHED):
    return {"allow": kernel, "notify": "ok", "kill": "killed SIGSYS"}.get(answer, answer)


def answer_for(words, level, row):
    """An entry of ARGUMENTS -> the answer at this level"""
    if isinstance(words, tuple):
        words = words[LEVELS.index(level)]
    if words.endswith("?"):
        words = words[:-1] if words[:-1] in outcomes(row.cell) else "allow"
    return words


def six(args):
    return (list(args) + ZEROS)[:6]


def cases_of_numbers(rows):
    """Every number: asked about twice, and called."""
    for nr, row in rows.items():
        yield Case("ask", "zeros", nr, ZEROS, row.name, promised_by_filter(row.zeros))
        yield Case("ask", "ones", nr, ONES, row.name, promised_by_filter(row.ones))
        args = HARMLESS.get(row.name)
        assert args is None or not row.cell.startswith("args"), ("%s: the column of «all bits set» does not describe "
                                                                 "its call" % row.name)
        yield Case("call", "default", nr, ONES if args is None else six(args), row.name,
                   promised_by_call(row.zeros if args else row.ones))


def cases_of_strangers():
    for nr in [*STRANGERS, *X32]:
        for label, args in (("zeros", ZEROS), ("ones", ONES)):
            yield Case("ask", label, nr, args, "0x%x" % nr, "ENOSYS")
        yield Case("call", "default", nr, ONES, "0x%x" % nr, "ENOSYS")
    for name, nr in I386.items():
        yield Case("i386", "default", nr, ONES, "int 0x80 " + name, "ENOSYS")


def cases_of_arguments(level, rows):
    numbers = {row.name: nr for nr, row in rows.items()}
    for i, (name, args, words, kernel) in enumerate(ARGUMENTS):
        nr, args = numbers[name], [IDS[level] if a == "own" else a for a in args]
        answer = answer_for(words, level, rows[nr])
        what = "%s(%s)" % (name, ", ".join(a if isinstance(a, str) else "%#x" % a for a in args))
        yield Case("ask", "case-%d" % i, nr, six(args), what, promised_by_filter(answer))
        if answer != "allow" or kernel:
            yield Case("call", "case-%d" % i, nr, six(args), what, promised_by_call(answer, kernel))


# In mode bridge these ask the broker, whose answer is what the kernel would say; connect asks at every level, since the
# sweep comes by a volume
BROKERED, BY_VOLUME = ("connect", "bind", "listen", "sendmsg", "sendmmsg"), ("connect",)


def cases_at(level, rows):
    cases = [*cases_of_numbers(rows), *cases_of_strangers(), *cases_of_arguments(level, rows)]
    permitted = promised_by_filter("allow")
    is_answered = lambda c: c.mode == "ask" and c.wanted == permitted and c.name.partition("(")[0] in (
        BROKERED if level == "low" else BY_VOLUME)
    return [c._replace(wanted=REACHED) if is_answered(c) else c for c in cases]


# ---- the comparison ----

def key(case):
    return case.mode, case.label, case.nr


def agrees(case, seen, outside):
    if seen == case.wanted:
        return True
    if case.name in BEFORE_THE_FILTER:
        return seen is not None and seen == outside
    if case.mode == "i386" and case.name.startswith("int 0x80"):
        return seen == "killed SIGSEGV"  # a kernel without that entry, where nothing gets through
    if case.wanted != REACHED or seen is None:
        return False
    if seen == "exit":
        return case.name in LEAVES
    if seen == "ENOSYS":
        return outside == "ENOSYS"
    return seen != "timeout" and not seen.startswith("killed")


def disagreements(cases, inside, outside):
    """-> the cases that the results inside contradict. `outside`: what this kernel says without us, where that was
    asked"""
    return [c for c in cases if not agrees(c, inside.get(key(c)), outside.get(key(c)))]


def describe(wrong, inside, level):
    lines = ["at %s the table and the sandbox disagree about %d answers:" % (level, len(wrong))]
    for c in wrong[:40]:
        words = {"ENOSYS": "allow or ENOSYS"} if c.mode == "ask" else {}
        seen = inside.get(key(c))
        lines.append("  %d %s, %s %s: promised %s, seen %s"
                     % (c.nr, c.name, c.mode, c.label, words.get(c.wanted, c.wanted), words.get(seen, seen)))
    return "\n".join(lines + ["  ..."] * (len(wrong) > 40))


# ---- running the sweep ----

def build(directory):
    compiler = ["musl-gcc", "-idirafter", "/usr/include", "-idirafter",
                "/usr/include/x86_64-linux-gnu"] if shutil.which("musl-gcc") else ["gcc"]
    if not shutil.which(compiler[0]):
        skip("no compiler (apt-get install musl-tools)")
    done = subprocess.run([*compiler, "-static", "-O1", "-Wall", "-Wextra", SOURCE, "-o", directory / "sweep"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def write(path, cases):
    path.write_text("".join("%s %s %d %s\n" % (c.mode, c.label, c.nr, " ".join(map(str, c.args))) for c in cases))
    path.chmod(0o644)


def read_results(text):
    found = {}
    for line in text.splitlines():
        mode, label, nr, result = line.split(" ", 3)
        assert (mode, label, int(nr)) not in found, line
        found[mode, label, int(nr)] = result
    return found


def run_outside(directory, cases):
    """The same program without a sandbox, as an ordinary user."""
    write(directory / "cases-outside", cases)
    who = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if is_root() else {}
    done = subprocess.run([directory / "sweep", directory / "cases-outside"], capture_output=True, text=True,
                          timeout=60, cwd="/", env={}, start_new_session=True, **who)
    assert done.returncode == 0 and not done.stderr, done
    return read_results(done.stdout)


def harmless_outside(case, inside):
    """Questions execute nothing. Calls: those with arguments that no kernel acts on, and only where the answer is
    needed."""
    if case.mode == "i386":
        return case.name == "int 0x80 getpid"
    return case.mode == "ask" or (case.label == "default"
                                  and (case.wanted == "ENOSYS" or (case.wanted == REACHED
                                                                   and inside.get(key(case)) == "ENOSYS")))


Swept = collections.namedtuple("Swept", "cases inside outside")
_swept = {}


UNWATCHED = {"monitoring.detect_anomalies": False, "monitoring.syscall_monitoring": False,
             "monitoring.network_attempt_detection": False,
             "monitoring.privilege_escalation_detection": False, "monitoring.file_access_monitoring": False,
             "monitoring.pattern_matching": [],
             "logging.audit_syscalls": False}
WATCHED = {**{key: True for key in UNWATCHED},
           "monitoring.pattern_matching": ["crypto_mining", "port_scanning", "data_exfiltration", "reverse_shells"]}


def sweep(box, level, watch=UNWATCHED):
    """-> Swept: once for each level and test process"""
    place = level, watch is WATCHED
    if place in _swept:
        return _swept[place]
    directory = box.directory("attack-" + ("watched" if watch is WATCHED else "plain"), 0o755)  # one test may want both
    build(directory)
    cases = cases_at(level, table(level))
    write(directory / "cases", cases)
    changes = {"execution.shell_access": True, "filesystem.allowed_mounts": [str(directory)], "kill_switches": [],
               **watch}
    r = box.command_json("/attack/sweep", "/attack/cases", profile=box.derive(level, changes),
                         options=["--volume", "%s:/attack:ro" % directory])
    assert (r["reason"] == "completed" and not r["stderr"]
            and not r["stdout_truncated"]), {**r, "stdout": r["stdout"][-500:]}
    inside = read_results(r["stdout"])
    outside = run_outside(directory, [c for c in cases if harmless_outside(c, inside)]) if watch is UNWATCHED else {}
    _swept[place] = Swept(cases, inside, outside)
    return _swept[place]


def expect_agreement(s, level, chosen):
    cases = [c for c in s.cases if chosen(c)]
    assert cases
    wrong = disagreements(cases, s.inside, s.outside)
    if wrong:
        pytest.fail(describe(wrong, s.inside, level), pytrace=False)


# ---- the tests ----

def test_the_document_is_what_the_command_says():
    assert (ROOT / "docs/syscalls.md").read_text() == command(
        ), "make it again: build/libexec/sandbox-agent/sandbox-policy syscalls > docs/syscalls.md"


def test_the_document_and_the_tsv_say_the_same():
    cells = {}
    for line in command().splitlines():
        words = [w.strip() for w in line.split("|")]
        if len(words) == 8 and words[1][:1].isdigit():
            first, _, last = words[1].partition(" to ")
            for nr in range(int(first), int(last or first) + 1):
                assert nr not in cells
                cells[nr] = (words[2].replace("(none)", "-"), *words[3:6])
    assert cells == {nr: (row.name, *(table(level)[nr].cell for level in LEVELS)) for nr, row in table("low").items()}


@pytest.mark.parametrize("level", LEVELS)
def test_every_number_gets_the_answer_of_the_table(box, level):
    s = sweep(box, level)
    expect_agreement(s, level, lambda c: c.nr in table(level) and c.mode != "i386" and not c.label.startswith("case"))


@pytest.mark.parametrize("level", LEVELS)
def test_numbers_without_a_call_and_foreign_entries_are_refused(box, level):
    s = sweep(box, level)
    expect_agreement(s, level, lambda c: c.nr not in table(level) or c.mode == "i386")


@pytest.mark.parametrize("level", LEVELS)
def test_arguments_decide_as_the_table_says(box, level):
    s = sweep(box, level)
    expect_agreement(s, level, lambda c: c.label.startswith("case"))


@pytest.mark.parametrize("level", LEVELS)
def test_the_watch_changes_no_answer(box, level):
    """Whatever it asks about is refused with the same errno, or performed with the same result. A question («ask») that
    is not refused may have become a call: that is all that may differ."""
    plain, watched = sweep(box, level).inside, sweep(box, level, WATCHED).inside
    assert set(plain) == set(watched) and len(plain) > 1500
    other = {place: (plain[place], watched[place]) for place in plain if plain[place] != watched[place]
             and (place[0] != "ask" or plain[place] != "ENOSYS")}
    assert not other, other
    asked = {nr for mode, label, nr in plain if mode == "ask" and plain[mode, label, nr] != watched[mode, label, nr]}
    names = {table(level)[nr].name for nr in asked}
    assert names >= {"execve", "execveat"} and len(names) < 20, "the watch asks about %s" % names


@pytest.mark.parametrize("level", LEVELS)
def test_new_processes_work_below_the_limit(box, level):
    """Whoever decides, the table's notify or allow: fork, vfork and clone make a process."""
    s = sweep(box, level)
    numbers = {row.name: nr for nr, row in table(level).items()}
    assert [s.inside["call", "default", numbers[name]] for name in ("fork", "vfork")] == ["ok", "ok"]
    assert [s.inside[key(c)] for c in s.cases if c.mode == "call" and c.name.startswith("clone")
            and c.args[0] in (SIGCHLD, THREAD)] == ["ok", "ok"]


@pytest.mark.parametrize("level", LEVELS)
def test_every_answer_in_the_table_is_produced_by_some_arguments(level):
    """A condition that nobody tries is not tested: each word of an `args` cell belongs to a case, and no case to
    another word."""
    rows, produced = table(level), {}
    for name, _, words, _ in ARGUMENTS:
        row = next(r for r in rows.values() if r.name == name)
        produced.setdefault(name, set()).add(answer_for(words, level, row))
    for row in rows.values():
        if row.cell.startswith("args") or row.name in produced:
            assert produced.get(row.name) == outcomes(row.cell), (row.name, row.cell, produced.get(row.name))


# ---- that the comparison finds what is wrong ----

def obedient(cases):
    """Results as from a sandbox that does what the table promises."""
    return {key(c): c.wanted if c.wanted != REACHED else "exit" if c.name in LEAVES else "EINVAL" for c in cases}


@pytest.mark.parametrize("level", LEVELS)
def test_one_planted_answer_is_found(level):
    cases = cases_at(level, table(level))
    inside = obedient(cases)
    assert disagreements(cases, inside, {}) == []
    for case in cases:
        good = inside[key(case)]
        for bad in ("ok", "EPERM", "ENOSYS", "EAFNOSUPPORT", "exit", "timeout", "killed SIGSYS", "killed SIGSEGV",
                    None):
            is_wrong = bad != case.wanted
            if case.wanted == REACHED:  # any answer of the kernel's will do, if it is one
                is_wrong = bad in ("ENOSYS", "timeout",
                                   None) or bad.startswith("killed") or (bad == "exit" and case.name not in LEAVES)
            elif case.mode == "i386":
                is_wrong = bad not in ("ENOSYS", "killed SIGSEGV")
            inside[key(case)] = bad
            assert agrees(case, bad, None) != is_wrong, (case, bad)
        inside[key(case)] = "timeout"
        assert disagreements([case], inside, {}) == [case]
        inside[key(case)] = good


def test_one_planted_row_is_found():
    """The other way round: an obedient sandbox, and a table with one cell changed."""
    rows = table("medium")
    inside = obedient(list(cases_of_numbers(rows)))
    for nr, row in rows.items():
        if row.cell.startswith("args"):
            continue
        for lie in {"allow", "EPERM", "ENOSYS"} - {row.cell}:
            wrong = disagreements(cases_of_numbers({**rows, nr: Row(row.name, lie, lie, lie)}), inside, {})
            assert {c.nr for c in wrong} == {nr}, (row, lie)


def test_an_answer_of_the_kernel_is_no_excuse_without_its_proof():
    rows = {7: Row("poll", "allow", "allow", "allow")}
    cases, place = list(cases_of_numbers(rows)), ("call", "default", 7)
    inside = {**obedient(cases), place: "ENOSYS"}
    assert len(disagreements(cases, inside, {})) == 1
    assert len(disagreements(cases, inside, {place: "EFAULT"})) == 1
    assert disagreements(cases, inside, {place: "ENOSYS"}) == []


def test_no_filter_at_all_is_found(box):
    """What the same program says outside, taken for a sandbox: every refusal that this kernel can show is missed by
    name."""
    if status(os.getpid())["Seccomp"].strip() != "0":
        skip("these tests run under a filter themselves, as in a container")
    s = sweep(box, "high")
    rows = table("high")
    wrong = {key(c) for c in disagreements(s.cases, s.outside, s.outside)}
    refusals = [(mode, label, nr) for mode, label, nr in s.outside if mode == "ask" and nr in rows
                and (rows[nr].zeros if label == "zeros" else rows[nr].ones) not in ("allow", "ENOSYS")
                and not label.startswith("case")]
    assert len(refusals) > 140 and set(refusals) <= wrong, set(refusals) - wrong
    has = [nr for (mode, label, nr), result in s.outside.items() if (mode, label) == ("call", "default") and nr in rows
           and rows[nr].cell == "ENOSYS"
           and rows[nr].name not in BEFORE_THE_FILTER and result != "ENOSYS"]
    print("of %d refusals with ENOSYS this kernel has the calls of %d"
          % (sum(r.cell == "ENOSYS" for r in rows.values()), len(has)))
    assert len(has) > 30 and {("call", "default", nr) for nr in has} <= wrong


def test_another_level_is_found(box):
    """Results from medium against the tables of low and high: exactly the rows in which the tables differ are
    complained about."""
    s = sweep(box, "medium")
    for level in ("low", "high"):
        wrong = {c.nr for c in disagreements(cases_of_numbers(table(level)), s.inside, s.outside)
                 if c.name not in BY_VOLUME}
        visible = lambda row: (row.zeros, row.ones)
        differ = {nr for nr in table(level) if visible(table(level)[nr]) != visible(table("medium")[nr])}
        unknown = {nr for nr in differ if s.outside.get(("call", "default", nr)) == "ENOSYS"}  # nobody can tell here
        assert differ and wrong == differ - unknown, (level, wrong ^ (differ - unknown))
