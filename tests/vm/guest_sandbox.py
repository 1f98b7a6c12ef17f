"""The sandbox on cgroup v2, systemd and AppArmor: guest_sandbox.py root|scope|login, as root in the guest.

    root   run by root, in a cgroup that belongs to a systemd unit and is not delegated
    scope  run by `tester` in a delegated scope of his own user manager: limits must be the kernel's, as for root
    login  run by `tester` in root's cgroup: the sandbox finds a delegated cgroup by itself (his user manager can be
           asked), or its supervisor measures and isolation.missing says so, or it refuses with a remedy

Expectations are those of the contract's result object. This file itself always is root, so that it can look at
cgroups, mounts and processes from outside; each run of the sandbox starts afresh through as-tester. Emulation is
some twenty times slower than a machine, and the host may be busy: limits are `seconds(n)` of guest_report.py, and the
levels' own deadlines are stretched alike where this guest is slower than the reference. The window of
excessive_cpu_usage is not: node's start at high takes longer than that here, and must not count.

For one place and the tests whose names contain a word: run.sh -- python3 tests/vm/guest_sandbox.py scope node
"""
import glob
import http.server
import json
import math
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

from guest_report import (AS_TESTER, CGROUPS, PACE, STAGE, Outside, Skip, expect, note, read, run_tests, seconds,
                          wait_until, write)

AGENT = os.path.join(STAGE, "build/bin/sandbox-agent")
PREFIX = {"root": [], "scope": [AS_TESTER], "login": [AS_TESTER, "--login"]}
LEVELS = ("low", "medium", "high")
# The shipped values of the contract: bytes, share of a CPU, processes.
LIMITS = {"low": (512 << 20, 1.0, 50), "medium": (256 << 20, 0.5, 20), "high": (128 << 20, 0.25, 10)}

PROGRAMS = {
    "python": {
        "low": "import os, subprocess, threading\n"
               "t = threading.Thread(target=print, args=('thread',)); t.start(); t.join()\n"
               "print(subprocess.run(['/bin/echo', 'child'], capture_output=True, text=True).stdout.strip())\n"
               "open('/tmp/written', 'w').write('x'); print(6 * 7)",
        "medium": "import json, math\nprint('thread\\nchild'); print(json.dumps(6 * 7))",
        "high": "import math\nprint('thread\\nchild'); print(math.isqrt(42 * 42))",
    },
    "bash": dict.fromkeys(LEVELS, "echo thread; echo child; echo $((6 * 7))"),
    "node": dict.fromkeys(LEVELS, "console.log('thread\\nchild'); console.log(6 * 7)"),
}
PRINTED = "thread\nchild\n42\n"
SUFFIX = {"python": "py", "bash": "sh", "node": "js"}

MEMORY_HOG = "kept = []\nwhile True:\n    kept.append(b'x' * (1 << 20))\n"
FORK_BOMB = {
    "low": ("python", "import os, time\nwhile True:\n    if os.fork() == 0:\n        time.sleep(120)\n"
                      "        os._exit(0)\n"),
    "medium": ("bash", "bomb() { bomb | bomb & }\nbomb\nwhile :; do :; done\n"),
    "high": ("bash", "bomb() { bomb | bomb & }\nbomb\nwhile :; do :; done\n"),
}
RUN_LIMIT_S = seconds(120)  # the slowest that ends (node at high) takes 30; the longest deadline that fires, 60

place = "root"      # set by main
work = None         # a directory with the programs, readable by tester


class Run:
    """One finished run of the command line: what it printed and, with --json, the result object."""

    def __init__(self, arguments, status, stdout, stderr, seconds):
        self.arguments, self.status, self.stdout, self.stderr, self.seconds = arguments, status, stdout, stderr, seconds
        try:
            self.result = json.loads(stdout)
        except ValueError:
            self.result = None

    def __str__(self):
        if isinstance(self.result, dict):
            said = {key: self.result.get(key) for key in
                    ("reason", "exit_code", "signal", "stdout", "stderr", "error", "kill_switch", "violations",
                     "findings")}
            said = {key: (value[:400] if isinstance(value, str) else value) for key, value in said.items() if value}
            said = json.dumps(said)
        else:
            said = "stdout %r" % self.stdout[:600]
        return "status %s after %.0f s, %s, stderr %r" % (self.status, self.seconds, said, self.stderr[-600:])

    def __getitem__(self, key):
        expect(isinstance(self.result, dict), "no JSON object on stdout: %s" % self)
        expect(key in self.result, "the result has no %s: %s" % (key, self.result))
        return self.result[key]

    @property
    def reason(self):
        return self["reason"]

    @property
    def missing(self):
        return self["isolation"].get("missing", [])


def agent_command(*arguments):
    return [*PREFIX[place], AGENT, *arguments]


def start(*arguments, command=agent_command):
    return subprocess.Popen(command(*arguments), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, errors="replace")


def finish(process, arguments=(), begun=None):
    """Waits for a started run. One that hangs is a failure that says where its processes stand; then they are
    killed."""
    begun = begun or time.monotonic()
    try:
        stdout, stderr = process.communicate(timeout=RUN_LIMIT_S)
    except subprocess.TimeoutExpired:
        stuck = end_stuck_processes()
        process.kill()
        stdout, stderr = process.communicate()
        raise AssertionError("not finished after %d s; %s; stderr %r" % (RUN_LIMIT_S, "; ".join(stuck), stderr[-600:]))
    return Run(arguments, process.returncode, stdout, stderr, time.monotonic() - begun)


def end_stuck_processes():
    """Nothing but the test under way runs the sandbox in this machine, so every one of its processes is meant."""
    stuck = []
    for pid in sorted(int(name) for name in os.listdir("/proc") if name.isdigit()):
        if (name_of(pid) or "").startswith("sandbox-"):
            state = next(line for line in read("/proc/%d/status" % pid).splitlines() if line.startswith("State"))
            stuck.append("%s %d %s in %s" % (name_of(pid), pid, state.split(None, 1)[1], read("/proc/%d/wchan" % pid)))
            os.kill(pid, 9)
    return stuck


def name_of(pid):
    try:
        return read("/proc/%d/comm" % pid)
    except OSError:
        return None


def agent(*arguments):
    return finish(start(*arguments), arguments)


def code_file(language, text):
    path = os.path.join(work, "program-%08x.%s" % (hash(text) & 0xffffffff, SUFFIX[language]))
    with open(path, "w") as file:
        file.write(text + "\n")
    return path


def whole_seconds(n):
    """For --timeout."""
    return str(math.ceil(seconds(n)))


def risk(level):
    """The option that chooses a level; where the guest is slow, as a profile that differs in what is a matter of
    time."""
    if PACE == 1:
        return "--risk-level", level
    path = os.path.join(work, level + ".yaml")
    if not os.path.exists(path):
        with open(os.path.join(STAGE, "build/share/sandbox-agent/profiles/%s-risk.yaml" % level)) as file:
            text = file.read()
        text, count = re.subn(r"^(  timeout: )([0-9]+)", lambda m: m[1] + whole_seconds(int(m[2])), text, flags=re.M)
        expect(count == 1, "the profile of %s has %d deadlines" % (level, count))
        write(path, text)
    return "--profile", path


def run_arguments(level, language, text, *options):
    return ("run", "--json", *risk(level), "--language", language, "--code", code_file(language, text), *options)


def run_code(level, language, text, *options):
    return agent(*run_arguments(level, language, text, *options))


def needs_cgroups(run):
    """A refusal for want of a cgroup is right where there is none; it has to be clear. Raises Skip after it."""
    if place != "login" or run.reason not in ("policy_denied", "sandbox_error"):
        return
    error = run["error"] or {}
    expect("cgroup" in json.dumps(error), "refused for another reason than the cgroup: %s" % run)
    expect(error.get("remedy"), "refused without a remedy: %s" % run)
    expect(run.status in (123, 125), "refused with status %s: %s" % (run.status, run))
    raise Skip("refused, as it should be without a cgroup: %s" % error.get("message"))


def has_cgroup(run):
    needs_cgroups(run)
    return run["isolation"].get("cgroup") not in (None, False, "", "none")


def expect_clean(outside):
    left = outside.leftovers()
    expect(not left, "left behind: %s" % "; ".join(left[:8]))


# ---- doctor --------------------------------------------------------------------------------------------------------


def test_doctor():
    run = agent("doctor")
    note(run.stdout)
    expect(run.status in (0, 1), str(run))
    expect("cgroup" in run.stdout and "landlock" in run.stdout.lower(), "doctor does not speak of cgroups and landlock")
    expect(not run.stderr or run.status, "stderr: %s" % run.stderr)


def test_doctor_json():
    run = agent("doctor", "--json")
    expect(isinstance(run.result, dict), "no JSON object: %s" % run)
    expect("cgroup" in json.dumps(run.result), "no word of cgroups")


# ---- ordinary programs ---------------------------------------------------------------------------------------------


def ordinary_program(level, language):
    def test():
        outside = Outside()
        run = run_code(level, language, PROGRAMS[language][level])
        needs_cgroups(run)
        if (level, language) == ("high", "bash") and run.reason == "policy_denied":
            raise Skip("the profile permits no bash at high")
        expect(run.reason == "completed" and run.status == 0 and run["exit_code"] == 0, str(run))
        expect(run["stdout"] == PRINTED, "printed %r" % run["stdout"])
        expect(run["backend"] == "native" and run["risk_level"] == level, str(run.result))
        expect_clean(outside)
    return test


def test_command_and_exit_codes():
    for argv, status in ((["/bin/true"], 0), (["/bin/sh", "-c", "exit 7"], 7), (["/nowhere/at/all"], 127)):
        run = agent("run", "--risk-level", "low", "--", *argv)
        expect(run.status == status, "%s: %s" % (argv, run))


# ---- what was in force -----------------------------------------------------------------------------------------------


def test_isolation_is_reported():
    for level in LEVELS:
        run = run_code(level, "python", "print(1)")
        if run.reason in ("policy_denied", "sandbox_error"):
            needs_cgroups(run)
        isolation = run["isolation"]
        note("%s %s" % (level, json.dumps(isolation)))
        for key in ("user_ns", "pid_ns", "mount_ns", "seccomp", "landlock", "no_new_privs"):
            expect(isolation.get(key), "%s: %s is not in force" % (level, key))
        if place != "login":
            expect(has_cgroup(run), "%s: no cgroup in force" % level)
            # AppArmor is judged below; landlock refuses TCP connects since its ABI 4, and this guest's kernel may be
            # older.
            tcp = [item for item in isolation["missing"]
                   if item.startswith("network: landlock here cannot refuse TCP connects")]
            expect(bool(tcp) == (isolation["net"] == "bridge" and isolation["landlock"] < 4),
                   "%s: landlock %s, %s" % (level, isolation["landlock"], tcp))
            wanting = [item for item in isolation["missing"] if "apparmor" not in item and item not in tcp]
            expect(not wanting, "%s: missing %s, and this machine has everything" % (level, wanting))
        confined = isolation.get("apparmor") not in (None, False, "", "none", "unconfined")
        listed = any("apparmor" in str(item) for item in isolation["missing"])
        expect(confined != listed, "%s: apparmor %r, missing %s"
               % (level, isolation.get("apparmor"), isolation["missing"]))


def find_limited_group(before, memory):
    """A cgroup that was made since and has this limit; the files may vanish while we look."""
    for path in set(glob.glob(CGROUPS + "/**/memory.max", recursive=True)) - before:
        try:
            if read(path) == str(memory):
                return os.path.dirname(path)
        except OSError:
            continue
    return None


def limits_seen_from_outside(level):
    def test():
        memory, cpu, pids = LIMITS[level]
        before = set(glob.glob(CGROUPS + "/**/memory.max", recursive=True))
        outside = Outside()
        arguments = run_arguments(level, "python", "while True:\n    pass", "--timeout", whole_seconds(8))
        process = start(*arguments)
        try:
            group = wait_until(lambda: process.poll() is not None or find_limited_group(before, memory), 60)
            if isinstance(group, str):
                quota, period = wait_until(lambda: read(group + "/cpu.max").split(), 1)
                share = None if quota == "max" else int(quota) / int(period)
                swap, tasks = read(group + "/memory.swap.max"), read(group + "/pids.max")
                where = group[len(CGROUPS):]
                # The limited group may be the one above the payload's: either way it must hold processes.
                held = wait_until(lambda: "populated 1" in read(group + "/cgroup.events"), 5)
        finally:
            run = finish(process, arguments)
        expect(isinstance(group, str), "no cgroup with memory.max %d was ever seen: %s" % (memory, run))
        note("%s: %s" % (level, where))
        expect(share == cpu and swap == "0", "cpu.max gives %s, not %s; memory.swap.max %s" % (share, cpu, swap))
        # The sandbox's own init (in a slot one more) may come on top.
        expect(tasks in [str(pids + own) for own in range(3)], "pids.max is %s, the profile says %d" % (tasks, pids))
        expect(held, "the limited cgroup was empty")
        expect(run.reason == "timeout", str(run))
        expect_clean(outside)
    return test


def test_limits_stay_when_systemd_acts():
    """systemd owns every cgroup that it has not delegated: whatever we switched on there, it may switch off again when
    it next looks, which takes cpu.max away from a run under way. Whose manager it is depends on the place."""
    manager = [[AS_TESTER, "--login"], ["--user"]] if place == "scope" else [[], []]
    before = set(glob.glob(CGROUPS + "/**/memory.max", recursive=True))
    arguments = run_arguments("medium", "python", "while True:\n    pass", "--timeout", whole_seconds(15))
    process = start(*arguments)
    try:
        group = wait_until(lambda: process.poll() is not None or find_limited_group(before, LIMITS["medium"][0]), 60)
        expect(isinstance(group, str), "no limited cgroup was ever seen")
        wait_until(lambda: read(group + "/cpu.max").startswith("50000"), 5)
        for argv in (["systemd-run", *manager[1], "--quiet", "--wait", "-p", "CPUWeight=50", "true"],
                     ["systemctl", *manager[1], "daemon-reload"],
                     ["systemd-run", *manager[1], "--quiet", "--wait", "true"]):
            subprocess.run([*manager[0], *argv], check=True, capture_output=True, timeout=seconds(60))
            expect(process.poll() is None, "the run ended too soon for this test")
            gone = [name for name in ("cpu.max", "memory.max", "pids.max")
                    if not os.path.exists(os.path.join(group, name))]
            expect(not gone, "after «%s» %s is gone from %s" % (" ".join(argv), gone, group[len(CGROUPS):]))
            expect(read(group + "/cpu.max").startswith("50000"), "cpu.max is now %s" % read(group + "/cpu.max"))
    finally:
        run = finish(process, arguments)
    expect(run.reason == "timeout", str(run))


# ---- what must be stopped
# ----------------------------------------------------------------------------------------------


def memory_hog(level):
    def test():
        outside = Outside()
        run = run_code(level, "python", MEMORY_HOG)
        limit = LIMITS[level][0]
        # Where the supervisor measures, it sees the excess only after it happened, and on a busy machine an rlimit that
        # lies above the limit may refuse the memory first, which Python reports by itself.
        measured = not has_cgroup(run)
        refused = measured and run.reason == "error" and run["stderr"].rstrip().endswith("MemoryError")
        expect(refused or (run.reason == "oom" and run.status == 137), str(run))
        peak = run["peak_memory_bytes"]
        expect(peak <= limit + ((160 << 20) if measured else 0), "peak %s, limit %s" % (peak, limit))
        expect_clean(outside)
    return test


def most_processes(outside, process):
    """The largest number of new processes that was there at one time while the run went on."""
    most = 0
    while process.poll() is None:
        most = max(most, len(outside_pids(outside)))
        time.sleep(0.1)
    return most


def fork_bomb(level):
    def test():
        outside = Outside()
        language, text = FORK_BOMB[level]
        arguments = run_arguments(level, language, text, "--timeout", whole_seconds(12))
        process = start(*arguments)
        most = most_processes(outside, process)
        run = finish(process, arguments)
        kernel = has_cgroup(run)
        # Ten for the command line, the launcher, init, runuser and whatever else is ours.
        expect(most <= LIMITS[level][2] + 10, "%d processes at one time, the limit is %d" % (most, LIMITS[level][2]))
        # A python that gets EAGAIN ends by itself. bash tries again ever more slowly, which need not look like a bomb,
        # so the deadline may end it; but then the result still says what happened.
        allowed = ["pids_limit"] + (["killed"] if level == "high" else []) + (["timeout"] if language == "bash"
                                                                              else []) + ([] if kernel else ["error"])
        expect(run.reason in allowed, str(run))
        if kernel:
            expect("pids_limit" in (run.reason, *(violation["type"] for violation in run["violations"])),
                   "no word of the limit of processes: %s" % run)
        expect_clean(outside)
    return test


def test_eager_fork_bomb_is_ended_early():
    """One that never waits after EAGAIN: disable_fork_bomb ends it long before the deadline."""
    outside = Outside()
    run = run_code("low", "python",
                   "import os, time\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass\n",
                   "--timeout", whole_seconds(60))
    expect(run.reason == "pids_limit", str(run))
    expect(run["duration_ms"] < seconds(50) * 1000, "took %s ms" % run["duration_ms"])
    expect_clean(outside)


def test_deadline():
    for language, text in (("python", "while True:\n    pass"),
                           ("bash", "trap '' TERM INT HUP\nwhile :; do sleep 1; done")):
        outside = Outside()
        run = run_code("low", language, text, "--timeout", whole_seconds(4))
        needs_cgroups(run)
        expect(run.reason == "timeout" and run.status == 124, "%s: %s" % (language, run))
        expect(seconds(3.9) * 1000 <= run["duration_ms"] <= seconds(30) * 1000,
               "%s: took %s ms" % (language, run["duration_ms"]))
        expect_clean(outside)


def test_orphans_end_with_the_run():
    outside = Outside()
    run = run_code("low", "bash", "setsid sleep 600 </dev/null >/dev/null 2>&1 &\n(sleep 600 &)\necho done")
    needs_cgroups(run)
    expect(run.reason == "completed" and run["stdout"] == "done\n", str(run))
    expect_clean(outside)


def test_killed_command_line_leaves_no_process():
    """kill -9 of the command line: everything it started ends at once, and the next run sweeps the rest."""
    outside = Outside()
    arguments = run_arguments("low", "bash", "sleep 600 & sleep 600", "--timeout", whole_seconds(120))
    process = start(*arguments)
    pids = wait_until(lambda: [pid for pid in outside_pids(outside) if name_of(pid) == "sleep"] if
                      process.poll() is None else [-1], 60)
    if process.poll() is not None:
        run = finish(process, arguments)
        needs_cgroups(run)
        raise AssertionError("it ended by itself: %s" % run)
    expect(pids, "the program never started")
    agents = [pid for pid in outside_pids(outside) if name_of(pid) == "sandbox-agent"]
    expect(agents, "no process named sandbox-agent")
    os.kill(min(agents), 9)
    finish(process)
    left = [thing for thing in outside.leftovers(10) if thing.startswith("process")]
    expect(not left, "after kill -9: %s" % left)
    run = run_code("low", "bash", "echo next")
    expect(run.reason == "completed", str(run))
    expect_clean(outside)


def outside_pids(outside):
    return sorted(pid for pid, *_ in outside.LOOKS["process"]() - outside.before["process"])


def test_ten_at_once():
    outside = Outside()
    arguments = run_arguments("low", "bash", "echo one of ten; sleep 1")
    started = [start(*arguments) for _ in range(10)]
    runs = [finish(process, arguments) for process in started]
    needs_cgroups(runs[0])
    wrong = [str(run) for run in runs if run.reason != "completed" or run["stdout"] != "one of ten\n"]
    expect(not wrong, "%d of 10 went wrong, the first: %s" % (len(wrong), wrong[:1]))
    expect_clean(outside)


REACH = """
import socket, threading, urllib.request
print(urllib.request.urlopen('http://127.0.0.1:%d/').status)
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); u.settimeout(%d); u.connect(('127.0.0.1', %d)); u.send(b'datagram'); print(u.recv(99))
for where in ('127.0.0.1', %d), ('10.0.2.2', 80), ('169.254.169.254', 80):
    try: socket.create_connection(where, %d)
    except OSError as e: print(type(e).__name__)
s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(); c = socket.create_connection(s.getsockname()); print('inside', len(s.accept()))
"""


def test_network_by_rule():
    """The broker on this kernel, as this user: what the rules name is reached, what they do not is not, and the
    program's own loopback is its own."""
    outside = Outside()
    web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
    echo, other = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), socket.create_server(("127.0.0.1", 0))
    echo.bind(("127.0.0.1", 0))

    def answer():
        data, who = echo.recvfrom(2000)
        echo.sendto(data.upper(), who)
    for serve in (web.serve_forever, answer):
        threading.Thread(target=serve, daemon=True).start()
    ports = web.server_port, echo.getsockname()[1], other.getsockname()[1]
    with open(os.path.join(STAGE, "build/share/sandbox-agent/profiles/low-risk.yaml")) as f:
        profile = f.read().replace("\n  allow: []", '\n  allow: ["127.0.0.1/32:%d", "127.0.0.1/32:%d"]' % ports[:2])
    path = os.path.join(work, "network.yaml")
    with open(path, "w") as f:
        f.write(profile)
    code = REACH % (ports[0], seconds(20), *ports[1:], seconds(20))
    run = agent("run", "--json", "--profile", path, "--language", "python", "--code", code_file("python", code))
    needs_cgroups(run)
    lines = run["stdout"].split("\n")
    expect(lines[:2] == ["200", "b'DATAGRAM'"], str(run))
    expect(lines[2:5] == ["ConnectionRefusedError", "PermissionError", "PermissionError"], str(run))
    expect(lines[5] == "inside 2", str(run))
    expect(run["isolation"]["net"] == "bridge", str(run))
    other.setblocking(False)
    try:
        other.accept()
        raise AssertionError("a connection arrived where no rule leads")
    except BlockingIOError:
        pass
    expect_clean(outside)


def test_kill_switch():
    """A refused call, seen and punished: by the watch as the profile of high says."""
    outside = Outside()
    with open(os.path.join(STAGE, "build/share/sandbox-agent/profiles/low-risk.yaml")) as f:
        profile = f.read().replace("\nkill_switches: []", "\nkill_switches: [privilege_escalation_attempt]")
    path = os.path.join(work, "kill.yaml")
    with open(path, "w") as f:
        f.write(profile)
    run = agent("run", "--json", "--profile", path, "--language", "bash",
                "--code", code_file("bash", "echo begun\nunshare -U true\nsleep 60\necho still here"))
    needs_cgroups(run)
    expect(run.reason == "killed" and run["kill_switch"] == "privilege_escalation_attempt", str(run))
    expect(run["stdout"] == "begun\n", str(run))
    expect_clean(outside)


def test_scope_shared_with_a_shell():
    """The user's shell sits in the delegated cgroup, so controllers cannot simply be switched on below it."""
    arguments = run_arguments("medium", "bash", "echo shared")
    # The shell has something left to do, so that it does not replace itself by the command.
    shell = [AS_TESTER, "bash", "-c", '"$@"; status=$?; exit $status', "shell", AGENT]
    run = finish(start(*arguments, command=lambda *them: [*shell, *them]), arguments)
    if run.reason == "completed":
        expect(run["isolation"]["cgroup"], "ran without a cgroup at medium: %s" % run)
        return
    error = run["error"] or {}
    expect(run.status in (123, 125) and error.get("remedy"), "neither ran nor was refused with a remedy: %s" % run)
    note("refused: %s; remedy: %s" % (error.get("message"), error.get("remedy")))


def test_launcher_of_a_socket_unit():
    """Accept=yes, Delegate=yes: one launcher for each connection, whose cgroups are in its own unit and nowhere
    above."""
    path = "/run/vm-launcher.sock"
    write("/run/systemd/system/vm-launcher.socket", "[Socket]\nListenSequentialPacket=%s\nAccept=yes\n" % path)
    write("/run/systemd/system/vm-launcher@.service",
          "[Unit]\nCollectMode=inactive-or-failed\n[Service]\nExecStart=%s\nDelegate=yes\nTasksMax=100\n"
          % os.path.join(STAGE, "build/libexec/sandbox-agent/sandbox-launcher"))
    subprocess.run(["systemctl", "daemon-reload"], check=True)
    subprocess.run(["systemctl", "start", "vm-launcher.socket"], check=True)

    def found(pattern):
        return glob.glob("/sys/fs/cgroup/**/" + pattern, recursive=True)

    units = "vm-launcher@*.service"
    clients = []
    try:
        for count in (1, 2):
            clients.append(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
            clients[-1].connect(path)
            wait_until(lambda: len(found(units + "/sandbox-agent.*.0/sandbox-agent.*.*")) >= count, 60)
        expect(len(found(units)) == 2, "units: %s" % found(units))
        for unit in found(units):
            launcher = read(unit + "/sandbox-agent.supervisor/cgroup.procs").split()
            expect([name_of(int(pid)) for pid in launcher] == ["sandbox-launche"], "%s holds %s" % (unit, launcher))
            expect(read(unit + "/cgroup.procs") == "", "processes of %s that did not move" % unit)
        outside = [group for group in found("sandbox-agent.*") if "/vm-launcher@" not in group]
        expect(not outside, "groups outside of the units: %s" % outside)
    finally:
        for client in clients:
            client.close()
        wait_until(lambda: not found(units), 60)
        subprocess.run(["systemctl", "stop", "vm-launcher.socket"], check=True)
        for name in ("vm-launcher.socket", "vm-launcher@.service"):
            os.unlink("/run/systemd/system/" + name)
        subprocess.run(["systemctl", "daemon-reload"], check=True)


# ---- memory that no process has mapped ------------------------------------------------------------------------------

FILL_SOCKETS = """
import socket, time
listener = socket.create_server(('127.0.0.1', 0))
kept, piece = [listener], b'x' * 60000
for i in range(48):
    client = socket.create_connection(listener.getsockname())
    udp, sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind(('127.0.0.1', 0))
    client.setblocking(False); sender.setblocking(False)
    kept += [client, listener.accept()[0], udp, sender]
    try:
        for j in range(170): client.send(piece)
    except OSError: pass
    try:
        for j in range(130): sender.sendto(piece, udp.getsockname())
    except OSError: pass
print('filled', flush=True)
time.sleep(%d)
"""
# Enough for 48 pairs of each kind to hold 700 MiB, so that the sandbox's limit is all that stops them.
LARGE_BUFFERS = {"net/core/rmem_default": "8388608", "net/core/rmem_max": "8388608",
                 "net/ipv4/tcp_rmem": "4096 8388608 8388608",
                 "net/ipv4/tcp_wmem": "4096 4194304 8388608", "net/ipv4/tcp_mem": "500000 500000 500000",
                 "net/ipv4/udp_mem": "500000 500000 500000"}


def bytes_in_sockets():
    """In the whole machine: TCP's and UDP's count is one for all network namespaces."""
    return sum(int(pages) for pages in re.findall(r"^(?:TCP|UDP): .* mem ([0-9]+)$", read("/proc/net/sockstat"),
                                                  re.M)) * os.sysconf("SC_PAGE_SIZE")


def most_in_sockets(memory):
    arguments = run_arguments("low", "python", FILL_SOCKETS % seconds(5), "--memory", memory, "--timeout",
                              whole_seconds(100))
    process, most = start(*arguments), 0
    while process.poll() is None:
        most = max(most, bytes_in_sockets())
        time.sleep(0.05)
    return most, finish(process, arguments)


def test_memory_that_waits_in_sockets():
    """cgroup v2 counts it as memory: memory.max bounds it, TCP and UDP together. Without that limit the same program
    holds 700 MiB."""
    outside = Outside()
    before = {key: read("/proc/sys/" + key) for key in LARGE_BUFFERS}
    for key, value in LARGE_BUFFERS.items():
        write("/proc/sys/" + key, value)
    try:
        free, free_run = most_in_sockets("1400m")
        bound, run = most_in_sockets("256m")
    finally:
        for key, value in before.items():
            write("/proc/sys/" + key, value)
    note("in sockets: %d MiB with 1400m (%s), %d MiB with 256m (%s)"
         % (free >> 20, free_run.reason, bound >> 20, run.reason))
    expect(free_run.reason == "completed" and free >= 600 << 20,
           "this shows nothing: %d MiB without the limit: %s" % (free >> 20, free_run))
    expect(run.reason in ("completed", "oom"), str(run))
    # the kernel charges a little ahead of what it counts, for each processor
    expect(bound <= (256 << 20) + (4 << 20), "%d MiB in sockets, the limit is 256" % (bound >> 20))
    expect(run["isolation"]["cgroup"] == "v2" and not [line for line in run.missing if line.startswith("sockets")],
           str(run.missing))
    expect_clean(outside)


def test_a_slow_start_does_not_count():
    """Node's start at high uses all of its CPU for longer than this window, and the rest of the run for less."""
    with open(os.path.join(STAGE, "build/share/sandbox-agent/profiles/high-risk.yaml")) as file:
        text = file.read()
    for key, value in ((r"^  timeout: ", 300), (r"excessive_cpu_usage: {share: [0-9.]+, window: ", 15)):
        text, count = re.subn("(%s)[0-9]+" % key, lambda m: m[1] + whole_seconds(value), text, flags=re.M)
        expect(count == 1, "the profile of high has %d of %s" % (count, key))
    profile, events = os.path.join(work, "slow-start.yaml"), os.path.join(work, "slow-start.jsonl")
    write(profile, text)
    run = agent("run", "--json", "--profile", profile, "--record-events", events, "--language", "node",
                "--code", code_file("node", PROGRAMS["node"]["high"]))
    said = [json.loads(line) for line in read(events).splitlines()]
    note("began after %s s, allowed %s s of CPU time; the window is %s s" % (
        [e["at_us"] / 1e6 for e in said if e["kind"] == "begun"],
        [e["arg0"] / 1e6 for e in said if e["kind"] == "starting"], whole_seconds(15)))
    expect(run.reason == "completed" and run["stdout"] == PRINTED and not run["violations"], str(run))


def kernel_limits_here():
    """Tests that look at cgroup files are for places that have them to give. In a login the sandbox may have found
    none."""
    if place != "login":
        return True
    run = run_code("low", "bash", "echo")
    return run.reason == "completed" and has_cgroup(run)


def all_tests():
    tests = [("doctor", test_doctor), ("doctor --json", test_doctor_json)]
    tests += [("%s at %s" % (language, level), ordinary_program(level, language)) for language in PROGRAMS
              for level in LEVELS]
    tests += [("command and exit codes", test_command_and_exit_codes),
              ("isolation is reported", test_isolation_is_reported)]
    if kernel_limits_here():
        tests += [("limits seen from outside at " + level, limits_seen_from_outside(level)) for level in LEVELS]
        tests += [("limits stay when systemd acts", test_limits_stay_when_systemd_acts),
                  ("eager fork bomb is ended early", test_eager_fork_bomb_is_ended_early)]
    else:
        note("no cgroup for the sandbox here: its supervisor has to measure")
    tests += [("memory hog at " + level, memory_hog(level)) for level in LEVELS]
    tests += [("fork bomb at " + level, fork_bomb(level)) for level in LEVELS]
    tests += [("deadline", test_deadline), ("orphans end with the run", test_orphans_end_with_the_run),
              ("killed command line leaves no process", test_killed_command_line_leaves_no_process),
              ("ten at once", test_ten_at_once), ("network by rule", test_network_by_rule),
              ("kill switch", test_kill_switch)]
    if place == "root":
        tests += [("a slow start does not count", test_a_slow_start_does_not_count),
                  ("memory that waits in sockets", test_memory_that_waits_in_sockets),
                  ("launcher of a socket unit", test_launcher_of_a_socket_unit)]
    if place == "scope":
        tests += [("scope shared with a shell", test_scope_shared_with_a_shell)]
    return tests


def main():
    global place, work
    place = sys.argv[1]
    work = tempfile.mkdtemp(prefix="vm-sandbox-")
    os.chmod(work, 0o755)
    try:
        chosen = [(name, test) for name, test in all_tests()
                  if not sys.argv[2:] or any(word in name for word in sys.argv[2:])]
        return min(run_tests(place, chosen), 1)
    finally:
        shutil.rmtree(work)


if __name__ == "__main__":
    sys.exit(main())
