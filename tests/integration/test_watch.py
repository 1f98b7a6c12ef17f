"""What the watch sees and stops: every program of tests/watch, through the command line.

tests/watch/DETECTOR/trigger*.* must be noticed by this detector, whichever language or trick it uses; honest*.* look
like it and are noticed by none. A trigger says «begun» before it acts, and «done» some time after ($LINGER and $BUSY
seconds, long where it is to be ended): a run that was ended has kept the first and lacks the second; one that is merely
reported has both, so it is known that the program really does what it should. The head of a program says what it needs:

    what:     one sentence
    server:   pool | xmrig | terse | sink | http | shell | commands | udp | irc | redis | events | json | model | ports:
              which peer this test puts on loopback, told by $SERVER or $PORTS, and allowed by a rule
    network:  none (mode none), inside (bridge without any rule); otherwise bridge, with a rule for the server
    rule:     block: the rule is of all of loopback, so it names no peer
    volume:   a file, with something secret in it, below /data
    canary:   a file that the profile has planted
    needs:    cgroup: only the kernel's own account sees it; skipped for an ordinary user without one

Profiles are the shipped ones with what stands in profile_for(): windows of seconds instead of minutes, so that a test
takes seconds.
"""
import contextlib
import itertools
import json
import pathlib
import queue
import re
import secrets
import shutil
import socket
import subprocess
import threading
import time

import pytest
from helpers import ROOT, exit_code, is_root, need_language, shipped, skip

PROGRAMS = ROOT / "tests/watch"
DETECTORS = ("crypto_mining", "port_scanning", "data_exfiltration", "reverse_shells", "network_access_attempt",
             "privilege_escalation_attempt",
             "suspicious_syscalls", "fork_bomb_detection", "excessive_cpu_usage", "excessive_memory_usage")
LANGUAGE = {"py": "python", "js": "node", "sh": "bash"}
MEMORY_MB = 128
BIG, SMALL = b"x" * (1 << 20), b"small"
COMMANDS = ("echo made-$((40+2))", "id -u", "uname -sm", "ls -d /usr/bin /tmp")  # what somebody outside asks for
# what a model does
STEPS = ("ls -a", "echo 'int main(void) { return 0; }' > a.c", "wc -c a.c", "grep -n main a.c", "rm a.c", "true")

# Windows shorter than shipped. Shares are of what the run may have: of so little CPU that a busy machine has it to
# give, and where so small a sandbox has no room for the shipped share of memory, of less.
QUICK = {"crypto_mining": {"detectors.crypto_mining.window": "1s", "detectors.crypto_mining.cpu_share": 0.5,
                           "resources.cpu": 0.3},
         # fewer processes than tasks, so that the launcher is asked and counts, where no control group does
         "fork_bomb_detection": {"resources.pids": 50, "execution.max_processes": 30, "resources.memory": "512m"},
         "excessive_cpu_usage": {"detectors.excessive_cpu_usage.window": "1s",
                                 "detectors.excessive_cpu_usage.share": 0.9, "resources.cpu": 0.2},
         "excessive_memory_usage": {"detectors.excessive_memory_usage.window": "1s",
                                    "detectors.excessive_memory_usage.share": 0.9}}
# A rogue uses up whatever it may have: of less a busy machine has it to give, too. Honest programs need room for their
# start.
FOR_ROGUES = {"crypto_mining": {"resources.cpu": 0.15}, "excessive_cpu_usage": {"resources.cpu": 0.1}}
# the key that turns a detector to «report»
MONITORS = {"network_access_attempt": "network_attempt_detection",
            "privilege_escalation_attempt": "privilege_escalation_detection",
            "suspicious_syscalls": "syscall_monitoring", "fork_bomb_detection": "detect_anomalies",
            "excessive_cpu_usage": "detect_anomalies",
            "excessive_memory_usage": "detect_anomalies"}


class Program:
    def __init__(self, path):
        self.path, self.detector, self.kind = path, path.parent.name, path.suffix[1:]
        self.id = "%s-%s-%s" % (self.detector, path.stem, self.kind)
        head = dict(re.findall(r"^(?:/\*|#|//| \*) (what|server|network|rule|volume|canary|needs): (.+?)(?: \*/)?$",
                               path.read_text()[:600], re.M))
        self.what, self.server, self.network, self.rule, self.volume, self.canary, self.needs = (
            head.get(k, "") for k in ("what", "server", "network", "rule", "volume", "canary", "needs"))


def catalogue(kind):
    return [Program(p) for p in sorted(PROGRAMS.glob("*/%s*" % kind))]


TRIGGERS, HONEST = catalogue("trigger"), catalogue("honest")


def tried(programs):
    """All as root. An ordinary user's detectors are the same code: some of each kind show that their events come."""
    if is_root():
        return programs
    return [p for d in DETECTORS for p in [q for q in programs if q.detector == d][:4]]


def first_of(detector):
    """The trigger that the modes are tried with: the first in the alphabet that is no compiled one, since those take a
    volume."""
    return next(p for p in TRIGGERS if p.detector == detector)


# ---- peers on the host's loopback ----

def is_whole_request(words):
    """Head and body, which clients send one by one."""
    head, end, body = words.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
    return bool(end) and len(body) >= int(length.group(1) if length else 0)


class Peer:
    """What a program talks to. `heard` is what it got, `accepted` counts who came; `env` tells the program where it is,
    `rules` allow it."""

    def __init__(self, kind, is_patient=False):
        self.is_patient = is_patient  # a shell is not told to end: somebody else is to end it
        self.heard, self.received, self.accepted, self.posted = bytearray(), 0, 0, queue.Queue()
        count = 48 if kind == "ports" else 1
        self.sockets = [socket.socket(type=socket.SOCK_DGRAM if kind == "udp" else socket.SOCK_STREAM)
                        for _ in range(count)]
        for i, s in enumerate(self.sockets):
            s.bind(("127.0.0.1", 0))
            if i % 3 != 2 and kind != "udp":
                s.listen(64)
        ports = [s.getsockname()[1] for s in self.sockets]
        self.rules = ["127.0.0.1/32:%d" % p for p in ports]
        self.env = {"SERVER": "127.0.0.1:%d" % ports[0], "PORTS": ",".join(map(str, ports))}
        if kind == "udp":
            threading.Thread(target=self._one, args=[self._udp, self.sockets[0]], daemon=True).start()
        elif kind != "ports":
            threading.Thread(target=self._serve, args=[getattr(self, "_" + kind)], daemon=True).start()

    def _serve(self, handle):
        while True:
            try:
                s, _ = self.sockets[0].accept()
            except OSError:
                return
            self.accepted += 1
            threading.Thread(target=self._one, args=[handle, s], daemon=True).start()

    def _one(self, handle, s):
        with contextlib.suppress(OSError), s:
            handle(s)

    def _pool(self, s):
        while data := s.recv(4096):
            self.heard += data
            s.sendall(b'{"id":1,"result":[[["mining.notify","1"]],"08000000",4],"error":null}\n')

    def _xmrig(self, s):
        """A pool of XMRig's: a job for a login, «OK» for a share; the port says nothing."""
        job = ('{"blob":"%s","job_id":"%s","target":"b88d0600","algo":"rx/0","height":3100000,"seed_hash":"%s"}'
               % ("0e" * 76, secrets.token_hex(7), "a1" * 32))
        with s.makefile("rb") as f:
            for line in f:
                self.heard += line
                result = '{"id":"w1","job":%s,"status":"OK"}' % job if b"login" in line else '{"status":"OK"}'
                s.sendall(b'{"id":1,"jsonrpc":"2.0","error":null,"result":%s}\n' % result.encode())

    def _terse(self, s):
        """As a pool below TLS: a few bytes now and then, which tell nobody anything."""
        while s.recv(4096):
            s.sendall(secrets.token_bytes(60))

    def _sink(self, s):
        while data := s.recv(1 << 20):
            self.received += len(data)
            self.heard += data[:100]

    def _shell(self, s):
        s.settimeout(30)
        s.sendall(b"echo made-$((40+2))\n")
        while (self.is_patient or b"made-42" not in self.heard) and (data := s.recv(4096)):
            self.heard += data
        s.sendall(b"exit\n")
        while data := s.recv(4096):
            self.heard += data

    def _give(self, frame, send, hear):
        """Commands one after the other, each when there was an answer to the last; framed."""
        for command in itertools.cycle(COMMANDS):
            send(frame(command))
            answer = hear()
            if not answer:
                return
            self.heard += answer
            if command == COMMANDS[-1] and not self.is_patient:
                break
            time.sleep(0.15)  # somebody types
        send(frame("exit"))

    def _commands(self, s):
        self._give(lambda c: c.encode() + b"\n", s.sendall, lambda: s.recv(65536))

    def _udp(self, s):
        _, client = s.recvfrom(65536)
        s.connect(client)
        self._give(lambda c: c.encode() + b"\n", s.send, lambda: s.recv(65536))

    def _irc(self, s):
        s.recv(4096)  # NICK, USER, JOIN
        s.sendall(b":there 001 bot :welcome\r\n")
        self._give(lambda c: b":boss!b@home PRIVMSG #room :!run %s\r\n" % c.encode(), s.sendall, lambda: s.recv(65536))

    def _redis(self, s):
        s.recv(4096)  # SUBSCRIBE
        s.sendall(b"*3\r\n$9\r\nsubscribe\r\n$4\r\nwork\r\n:1\r\n")
        self._give(lambda c: b"*3\r\n$7\r\nmessage\r\n$4\r\nwork\r\n$%d\r\n%s\r\n" % (len(c), c.encode()), s.sendall,
                   lambda: s.recv(65536))

    def _json(self, s):
        """A line of JSON for each command, as a queue of tasks sends it."""
        s.recv(4096)  # hello
        self._give(lambda c: b'{"id":7,"run":"%s"}\n' % c.encode(), s.sendall, lambda: s.recv(65536))

    def _events(self, s):
        """An event stream, and answers that are posted to it."""
        words = b""
        while not is_whole_request(words) and (data := s.recv(65536)):
            words += data
        if words.startswith(b"POST"):
            self.posted.put(words)
            s.sendall(b"HTTP/1.1 204 No Content\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return
        s.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n\r\n")
        numbers = itertools.count(10)
        self._give(lambda c: b"id: %d\nevent: task\ndata: %s\n\n" % (next(numbers), c.encode()), s.sendall,
                   self._posted)

    def _posted(self):
        try:
            return self.posted.get(timeout=60)
        except queue.Empty:  # the run was ended
            return b""

    def _model(self, s):
        """A language model that gives commands, in the JSON of its answers, as these servers do."""
        turn = 0
        with s.makefile("rb") as f:
            while f.readline():
                headers = dict(line.lower().split(b":", 1) for line in iter(f.readline, b"\r\n"))
                self.heard += f.read(int(headers.get(b"content-length", 0)))
                command = STEPS[turn] if turn < len(STEPS) else ""
                turn += 1
                body = json.dumps({"id": "msg-%d" % turn,
                                   "choices": [{"index": 0, "message": {"role": "assistant", "command": command}}]})
                s.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                          % (len(body), body.encode()))

    def _http(self, s):
        with s.makefile("rb") as f:
            while words := f.readline().split():
                headers = dict(line.lower().split(b":", 1) for line in iter(f.readline, b"\r\n"))
                self.received += len(f.read(int(headers.get(b"content-length", 0))))
                body = {b"/big": BIG, b"/small": SMALL}.get(words[1], b"thanks")
                s.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))

    def close(self):
        for s in self.sockets:
            with contextlib.suppress(OSError):
                s.shutdown(socket.SHUT_RDWR)  # close() alone does not wake who waits in accept()
            s.close()


# ---- arranging ----

def compiled(source, target):
    """A static program, so that it runs in any root."""
    compiler = ["musl-gcc", "-idirafter", "/usr/include", "-idirafter",
                "/usr/include/x86_64-linux-gnu"] if shutil.which("musl-gcc") else ["gcc", "-pthread"]
    subprocess.run([*compiler, "-static", "-O1", "-w", source, "-o", target], check=True)
    target.chmod(0o755)


def all_on(mode, detector=None):
    """Profile keys: everything is observed; in mode kill this detector (none given: every one) is a kill switch, in
    mode off its monitor is off."""
    keys = {"monitoring." + k: True for k in ("detect_anomalies", "syscall_monitoring", "network_attempt_detection",
                                              "privilege_escalation_detection",
                                              "file_access_monitoring")}
    patterns = list(DETECTORS[:4])
    if mode == "off" and detector in patterns:
        patterns.remove(detector)
    elif mode == "off":
        for monitor in MONITORS[detector], *(["privilege_escalation_detection"] if detector == "suspicious_syscalls"
                                             else []):
            keys["monitoring." + monitor] = False
    switches = [] if mode != "kill" else [detector] if detector else list(DETECTORS)
    return {**keys, "monitoring.pattern_matching": patterns, "kill_switches": switches}


def profile_for(box, program, mode, peer, thresholds=QUICK):
    keys = {**all_on(mode, program.detector if mode != "honest" else None), "resources.memory": "%dm" % MEMORY_MB}
    if mode == "honest":  # whichever detector it is that takes it for a rogue
        keys["kill_switches"] = list(DETECTORS)
    if program.network == "none":
        keys.update({"network.mode": "none", "network.dns": "disabled", "network.ports": []})
    elif program.network != "inside":
        rules = peer.rules if peer else ["nothing.example"]
        keys["network.allow"] = [r.replace("127.0.0.1/32", "127.0.0.0/8")
                                 for r in rules] if program.rule == "block" else rules
    keys.update(thresholds.get(program.detector, {}))
    keys.update(FOR_ROGUES.get(program.detector, {}) if mode != "honest" else {})
    # the watch is to end it, nothing else
    keys.update({"network.max_connections": 0, "network.max_connections_per_second": 0,
                 "execution.disable_fork_bomb": False})
    if program.canary:
        keys["monitoring.canaries"] = [program.canary]
    if program.kind == "c" or program.volume:
        keys["filesystem.allowed_mounts"] = [str(box.dir)]
    return box.derive("low", keys)


def run(box, program, mode, busy=None, thresholds=QUICK):
    """-> (result, peer). What is to be ended lingers until it is, however late that may be on a busy machine; the
    others are brief."""
    if program.kind in LANGUAGE:
        need_language(LANGUAGE[program.kind])
    if program.needs == "cgroup" and box.command_json("/bin/true",
                                                      level="low")["isolation"]["limits"]["enforced_by"] != "cgroup":
        pytest.skip("without a control group nobody counts what this program does")
    peer = Peer(program.server, is_patient=mode == "kill") if program.server else None
    try:
        env = {"LIMIT_MB": str(MEMORY_MB), **(peer.env if peer else {}), **({"BUSY": str(busy)} if busy else {}),
               **({} if mode == "kill" else {"LINGER": "0.1"})}
        options = ["--json", *(w for item in env.items() for w in ("--env", "=".join(item)))]
        if program.volume:
            secret = box.file("data/" + program.volume, "PRIVATE KEY " + secrets.token_hex(40) + "\n")
            options += ["--volume", "%s:/data:ro" % (box.dir / "data")]
            for d in (secret.parent, box.dir / "data"):
                d.chmod(0o755)
        options += ["--profile", profile_for(box, program, mode, peer, thresholds)]
        if program.kind == "c":
            programs = box.directory("programs", 0o755)
            compiled(program.path, programs / "worker")
            done = box.agent(*options, "--volume", "%s:/programs:ro" % programs, "--", "/programs/worker")
        else:
            done = box.agent(*options, "--language", LANGUAGE[program.kind], "--code",
                             box.code(program.path.read_text(), LANGUAGE[program.kind]))
        r = done.result
        assert done.code == exit_code(r), done
        return r, peer
    finally:
        if peer:
            peer.close()


def brief(r):
    """What of a result one wants to read when a test fails."""
    return {k: r[k] for k in ("reason", "kill_switch", "exit_code", "duration_ms", "violations", "stdout", "stderr",
                              "error") if r[k] not in (None, "")}


def of(r, detector):
    return [v for v in r["violations"] if v["type"] == detector]


def check_violation(v, r):
    assert v["severity"] in ("medium", "high", "critical"), v
    assert (v.get("evidence") or v["detail"]).strip(), "no evidence: %s" % v
    assert 0 <= v["at_ms"] <= r["duration_ms"] + 50, (v, r["duration_ms"])


def check_killed(r, detector):
    assert (r["reason"], r["kill_switch"], r["exit_code"]) == ("killed", detector, None), brief(r)
    found = of(r, detector)
    assert len(found) == 1, r["violations"]
    check_violation(found[0], r)
    late = r["duration_ms"] - found[0]["at_ms"]
    print("%s: %.1f ms from the deciding event to the end" % (detector, late))  # pytest -rP
    # within milliseconds; a busy machine takes its time to do it
    assert late < 10000, "ended only %d ms after the deciding event" % late


# ---- the programs ----

@pytest.mark.parametrize("program", [pytest.param(p, id=p.id) for p in tried(TRIGGERS)])
def test_a_rogue_is_ended(box, program):
    r, _ = run(box, program, "kill")
    check_killed(r, program.detector)
    assert r["stdout"].startswith("begun\n"), "what it had printed is lost: %r" % brief(r)
    assert "done" not in r["stdout"], brief(r)


@pytest.mark.parametrize("program", [pytest.param(p, id=p.id) for p in tried(HONEST)])
def test_an_honest_one_is_left_alone(box, program):
    r, _ = run(box, program, "honest")
    assert r["violations"] == [] and r["kill_switch"] is None, brief(r)
    assert r["reason"] == "completed" and r["stdout"].split()[-1] == "done", brief(r)


@pytest.mark.parametrize("detector", DETECTORS)
def test_in_mode_report_it_runs_on_and_is_told_of(box, detector):
    # some count in whole seconds; and where the machine has no time to give, nobody uses what he may have
    for busy in (3, 12, 40):
        r, _ = run(box, first_of(detector), "report", busy=busy)
        if of(r, detector) or detector not in QUICK:
            break
    assert r["reason"] in ("completed", "pids_limit", "error") and r["kill_switch"] is None, brief(r)
    assert r["stdout"].startswith("begun\n") and "done" in r["stdout"], brief(r)
    found = of(r, detector)
    assert len(found) == 1, "told once: %s" % r["violations"]
    check_violation(found[0], r)


@pytest.mark.parametrize("detector", DETECTORS[1:7])  # the others watch for seconds before they say anything
def test_in_mode_off_nobody_speaks_of_it(box, detector):
    r, _ = run(box, first_of(detector), "off")
    assert "done" in r["stdout"] and r["kill_switch"] is None and of(r, detector) == [], brief(r)


@pytest.mark.parametrize("program",
                         [pytest.param(p, id=p.id) for p in tried(TRIGGERS) if p.detector == "reverse_shells"
                          and p.server])
def test_the_shells_would_work(box, program):
    """Not stopped, each of them obeys the peer: so what ends them above is the watch."""
    r, peer = run(box, program, "report")
    assert b"made-42" in peer.heard, (bytes(peer.heard), brief(r))


def test_every_detector_has_both_kinds():
    for detector in DETECTORS:
        for programs in (TRIGGERS, HONEST):
            assert [p for p in programs if p.detector == detector and p.what], detector
    assert {p.detector for p in TRIGGERS + HONEST} == set(DETECTORS)


# ---- as shipped ----

SHIPPED_HIGH = [("network_access_attempt", "trigger_udp6"), ("network_access_attempt", "trigger_vsock"),
                ("privilege_escalation_attempt", "trigger_ptrace"),
                ("privilege_escalation_attempt", "trigger_unshare"), ("privilege_escalation_attempt", "trigger_setuid"),
                ("suspicious_syscalls", "trigger_bpf"),
                ("suspicious_syscalls", "trigger_io_uring"), ("fork_bomb_detection", "trigger_forks")]


@pytest.mark.parametrize("detector, name", SHIPPED_HIGH)
def test_at_high_risk_as_shipped_the_attempt_ends_the_run(box, detector, name):
    """The shipped thresholds and kill switches; changed is only what keeps a program of ours from starting."""
    programs = box.directory("programs", 0o755)
    compiled(PROGRAMS / detector / (name + ".c"), programs / "worker")
    profile = box.derive("high", {"execution.shell_access": True, "filesystem.allowed_mounts": [str(programs)]})
    r = box.command_json("/programs/worker", profile=profile, options=["--volume", "%s:/programs:ro" % programs])
    check_killed(r, detector)
    assert r["stdout"] == "begun\n", brief(r)


SHIPPED_LOW = [("suspicious_syscalls", "trigger_bpf"), ("suspicious_syscalls", "trigger_userfaultfd"),
               ("privilege_escalation_attempt", "trigger_ptrace"),
               ("privilege_escalation_attempt", "trigger_core_pattern"),
               ("privilege_escalation_attempt", "trigger_etc")]


@pytest.mark.parametrize("detector, name", SHIPPED_LOW)
def test_at_low_risk_as_shipped_a_probe_for_privileges_is_reported(box, detector, name):
    """Low is what attackers climb to: what they would do there is told, although most files are opened unseen."""
    source = next((PROGRAMS / detector).glob(name + ".*"))
    if source.suffix == ".c":
        programs = box.directory("programs", 0o755)
        compiled(source, programs / "worker")
        profile = box.derive("low", {"filesystem.allowed_mounts": [str(programs)]})
        r = box.agent("--json", "--env", "LINGER=0.1", "--profile", profile, "--volume", "%s:/programs:ro" % programs,
                      "--", "/programs/worker").result
    else:
        r = box.agent("--json", "--env", "LINGER=0.1", "--risk-level", "low", "--language", "bash", "--code",
                      box.code(source.read_text(), "bash")).result
    assert (r["reason"], [v["type"] for v in r["violations"]]) == ("completed", [detector]), brief(r)
    check_violation(r["violations"][0], r)


def test_at_low_risk_as_shipped_files_of_ones_own_are_nothing(box):
    r = box.json("python", (PROGRAMS / "privilege_escalation_attempt/honest_writing.py").read_text(), level="low")
    assert (r["reason"], r["violations"], r["stdout"]) == ("completed", [], "done\n"), brief(r)


NESTED = """
import os, sys
if os.fork():
    os.wait()
    print("done")
    sys.exit(0)
os.execv("/bin/sh", ["sh", "-c", "(unshare -U true); true"])
"""


def test_evidence_names_the_process_inside_and_outside_and_its_parents(box):
    """The pids outside are those that the machine's own logs have; here all of them are above those inside."""
    r = box.json("python", NESTED, level="low")
    (v,) = r["violations"]
    assert v["type"] == "privilege_escalation_attempt" and r["stdout"] == "done\n", brief(r)
    chain = re.findall(r"(?:by|started by) (\S+) \((\d+)(?: inside)?, (\d+)(?: outside)?\)", v["detail"])
    assert [name for name, _, _ in chain] == ["unshare", "sh",
                                              "python3"] or chain[2][0].startswith("python3"), v["detail"]
    inside, outside = [int(i) for _, i, _ in chain], [int(o) for _, _, o in chain]
    assert inside == sorted(inside,
                            reverse=True) and 0 < inside[0] < 50 and len(set(outside)) == 3 and min(outside) > 1, v[
                                "detail"]


ATTACKS = {"kern_bpf": "suspicious_syscalls", "kern_io_uring": "suspicious_syscalls",
           "priv_userns_unshare": "privilege_escalation_attempt",
           "proc_ptrace": "privilege_escalation_attempt", "net_families": "network_access_attempt"}


THEN_WAIT = r"""
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    if (fork() == 0)
        execl("/programs/attack", "attack", NULL);
    wait(NULL);
    sleep(20);
    puts("later");
}
"""


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_of_the_escape_suite_ends_its_run(box, name):
    """There it meets the fence alone; here the kill switches are as shipped. (Most are at their end within the
    milliseconds that a kill takes: so somebody waits behind them.)"""
    programs = box.directory("programs", 0o755)
    compiled(ROOT / "tests/escape/attacks" / (name + ".c"), programs / "attack")
    compiled(box.file("wait.c", THEN_WAIT), programs / "wait")
    profile = box.derive("high", {"execution.shell_access": True, "filesystem.allowed_mounts": [str(programs)]})
    r = box.command_json("/programs/wait", profile=profile, options=["--volume", "%s:/programs:ro" % programs])
    check_killed(r, ATTACKS[name])
    assert "later" not in r["stdout"], brief(r)


STORM = r"""
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
    for (int i = 0; i < 20000; i++)
        syscall(SYS_bpf, 0, 0, 0);
    puts("done");
}
"""


def test_a_storm_of_refused_calls_is_counted_and_told_once(box):
    programs = box.directory("programs", 0o755)
    compiled(box.file("storm.c", STORM), programs / "storm")
    profile = box.derive("low", {**all_on("report"), "network.mode": "none", "network.dns": "disabled",
                                 "network.ports": [], "logging.audit_syscalls": True,
                                 "filesystem.allowed_mounts": [str(programs)]})
    done = box.agent("--json", "--profile", profile, "--volume", "%s:/programs:ro" % programs, "--", "/programs/storm")
    r = done.result
    assert (r["reason"], r["stdout"]) == ("completed", "done\n"), brief(r)
    assert [v["type"] for v in r["violations"]] == ["suspicious_syscalls"], r["violations"]
    counted = [c["count"] for c in r["activity"]["calls"] if c["call"] == "bpf" and c["refused"]]
    assert sum(counted) + r["activity"]["events_lost"] >= 20000 and sum(counted) > 1000, r["activity"]


# past the guard by well-known tricks: see test_tricks.py
SHIPPED_CODE = [
    ("python", "privilege_escalation_attempt",
     "print('begun', flush=True)\n"
     "g = [c for c in ().__class__.__base__.__subclasses__() if c.__name__ == '_wrap_close'][0].__init__.__globals__\n"
     "try: g['setuid'](0)\nexcept OSError: pass\nwhile True: pass\n"),
]


@pytest.mark.parametrize("language, detector, code", SHIPPED_CODE, ids=[c[1] for c in SHIPPED_CODE])
def test_at_high_risk_nothing_changed_at_all(box, language, detector, code):
    need_language(language)
    r = box.json(language, code, level="high")
    check_killed(r, detector)
    assert r["stdout"] == "begun\n", brief(r)


BOMB = """
import os, sys
print("begun", flush=True)
reading, writing = os.pipe()
if os.fork():
    os.close(writing)
    os.read(reading, 1)  # until the last of them has ended
    sys.exit(1)
while True:
    os.fork()
"""
TOO_LARGE = """
import os
print("begun", flush=True)
children = []
while True:
    child = os.fork()
    if child == 0:
        import time
        time.sleep(60)
    children.append(child)
"""


def at_its_limit(box, level, code):
    keys = {"execution.shell_access": True, "kill_switches": [], "filesystem.blocked_paths": []}
    r = box.command_json("/usr/bin/python3", "-c", code, profile=box.derive(level, keys))
    if level != "high" and r["isolation"]["limits"]["enforced_by"] != "cgroup":
        pytest.skip("without a control group nobody counts what this program does")
    return r


@pytest.mark.parametrize("level", ["low", "medium", "high"])
def test_a_fork_bomb_that_the_limit_ended_is_named(box, level):
    """Its processes are refused each once, and that ends them: too few refusals for any rate, and over within a
    sample."""
    r = at_its_limit(box, level, BOMB)
    assert r["reason"] == "pids_limit", brief(r)
    assert len(of(r, "fork_bomb_detection")) == 1, brief(r)
    check_violation(of(r, "fork_bomb_detection")[0], r)


@pytest.mark.parametrize("level", ["low", "medium", "high"])
def test_a_pool_that_is_too_large_is_no_fork_bomb(box, level):
    r = at_its_limit(box, level, TOO_LARGE)
    assert r["reason"] in ("pids_limit", "error") and "BlockingIOError" in r["stderr"], brief(r)
    assert of(r, "fork_bomb_detection") == [], brief(r)


FORGED = {"python": "open(15, 'wb', 0).write(b'{\"type\":\"begun\",\"detail\":\"program\"}' + bytes([10]))\n"
                    "print('done')\n",
          "node": "console.log('done')\n",
          "bash": "echo '{\"type\":\"begun\",\"detail\":\"program\"}' >&15\necho done\n"}


@pytest.mark.parametrize("language", FORGED)
def test_the_guard_tells_where_the_interpreters_start_ends_and_no_program_can(box, language):
    """excessive_cpu_usage begins there; who could say it later would begin anew as often as it likes."""
    need_language(language)
    path = box.file("events.jsonl", "", mode=0o666)
    r = box.agent("--json", "--risk-level", "medium", "--record-events", path, "--language", language, "--code",
                  box.code(FORGED[language], language)).result
    assert r["stdout"] == "done\n" and r["violations"] == [], brief(r)
    text = path.read_text()
    assert text.count('"kind":"begun"') == 1 and '"kind":"starting"' in text.splitlines()[0], text


HELLO = {"python": "import math\nprint('done', end=chr(10) * int(math.sqrt(1)))\n", "node": "console.log('done')\n",
         "bash": "f() { local x=$(echo done); echo $x; }; f\n"}


@pytest.mark.parametrize("language", HELLO)
@pytest.mark.parametrize("level", ["low", "medium", "high"])
def test_the_start_of_an_interpreter_is_nothing_to_speak_of(box, level, language):
    need_language(language)
    r = box.json(language, HELLO[language], level=level)
    assert (r["stdout"], r["violations"], r["reason"]) == ("done\n", [], "completed"), brief(r)


def test_at_medium_risk_as_shipped_it_is_reported(box):
    r = box.command_json("/usr/bin/python3", "-c",
                         "import socket\ntry: socket.socket()\nexcept OSError: pass\nprint('done')")
    assert r["reason"] == "completed" and r["stdout"] == "done\n" and shipped("medium")["kill_switches"] == [], brief(r)
    check_violation(*of(r, "network_access_attempt"), r)


def test_pipelines_of_a_shell_never_lose_a_process(box):
    """A fork that is asked about can be interrupted by the end of another child, and dash then says «Cannot fork»: it
    is not asked about."""
    r = box.json("bash", "sh -c 'i=0; while [ $i -lt 400 ]; do echo a | tr a b; i=$((i+1)); done' | sort | uniq -c\n",
                 level="low")
    assert r["stdout"].split() == ["400", "b"], brief(r)


def test_canaries_that_nobody_would_look_for_are_missing(box):
    """The key is set, the detector is off: said, before the run and after it."""
    profile = box.derive("low", {"monitoring.canaries": ["/workspace/.aws/credentials"],
                                 "monitoring.pattern_matching": ["crypto_mining"]})
    r = box.json("bash", "ls -a\n", profile=profile)
    assert ".aws" not in r["stdout"] and any(m.startswith("canaries: not planted")
                                             for m in r["isolation"]["missing"]), brief(r)
