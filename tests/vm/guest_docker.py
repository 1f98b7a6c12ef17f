"""The docker backend on cgroup v2 with systemd and AppArmor: Debian's Docker as systemd runs it, the installed package,
root's command line.

Run as root in the guest, after `make deb` on the host; `./check vm` runs all of it. The tests are one story, in order;
each word given picks those whose name has it:
    tests/vm/run.sh --docker --timeout 1800 -- python3 tests/vm/guest_docker.py [WORD...]
"""
import contextlib
import glob
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading

import guest_service as service
from guest_report import CGROUPS, PACE, STAGE, Skip, expect, note, read, run_tests, seconds, wait_until

HAND = os.path.join(STAGE, ".vm/docker")  # of run.sh --docker
SOCKET, IMAGE, CONFIG = "/run/docker.sock", "sandbox-agent/python:12", "/etc/sandbox-agent/docker.yaml"
LEVELS = ("low", "medium", "high")
SUFFIX = {"python": "py", "bash": "sh"}
PROGRAMS = {"python": "print(6 * 7)", "bash": "echo $((6 * 7))"}
LIMITS = {"low": (512 << 20, 1.0, 50), "medium": (256 << 20, 0.5, 20), "high": (128 << 20, 0.25, 10)}
IN_FORCE = ("pid_ns", "mount_ns", "net_ns", "ipc_ns", "uts_ns", "seccomp", "landlock", "no_new_privs")
NAMESPACES = ("pid", "mnt", "net", "ipc", "uts", "cgroup")
PATIENCE_S = seconds(60)
PROFILE = {"low": "sandbox-agent-default", "medium": "sandbox-agent-confined", "high": "sandbox-agent-confined"}
# What Docker cannot do, whatever the machine: docs/docker.md
NOT_DOCKERS = ("user_ns", "monitoring", "kill_switches", "network", "time_ns", "artifacts", "max_processes",
               "disable_loopback",
               "io", "bytes_in, bytes_out")
SETTINGS = {"docker": {"daemon": {"socket": SOCKET, "timeout": "%d" % seconds(60)},
                       "container": {"accept_missing": ["user_ns", "monitoring", "kill_switches", "network"]}},
            "languages": {name: {"default_image": IMAGE} for name in SUFFIX}}


def command(*argv, timeout=seconds(300)):
    return subprocess.run(argv, capture_output=True, text=True, errors="replace", timeout=timeout,
                          stdin=subprocess.DEVNULL)


def must(*argv):
    done = command(*argv)
    expect(done.returncode == 0, "%s: %d %s %s"
           % (" ".join(argv), done.returncode, done.stdout[-600:], done.stderr[-1500:]))
    return done.stdout


class Engine(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(SOCKET)


def ask(path):
    engine = Engine("localhost", timeout=seconds(120))
    engine.request("GET", path)
    answer = json.loads(engine.getresponse().read())
    engine.close()
    return answer


def run(level, language, text, *options):
    path = "/run/guest-program." + SUFFIX[language]
    with open(path, "w") as file:
        file.write(text + "\n")
    done = command("sandbox-agent", "run", "--config", CONFIG, "--backend", "docker", "--json", "--risk-level", level,
                   "--language", language,
                   "--code", path, *options)
    try:
        return json.loads(done.stdout)
    except ValueError:
        raise AssertionError("no result: status %d %s %s" % (done.returncode, done.stdout[-500:], done.stderr[-800:]))


def brief(result):
    said = {key: result.get(key) for key in ("reason", "exit_code", "signal", "stdout", "stderr", "error",
                                             "kill_switch", "duration_ms", "cpu_ms", "peak_memory_bytes")}
    said["missing"] = (result.get("isolation") or {}).get("missing")
    return json.dumps({key: value for key, value in said.items() if value})[:1800]


def groups():
    return [path for path, _, _ in os.walk(CGROUPS) if "docker-" in os.path.basename(path) and path.endswith(".scope")]


def left():
    return ["container " + c["Id"][:12]
            for c in ask("/containers/json?all=1")] + ["volume " + v["Name"] for v in ask("/volumes")["Volumes"]
                                                       or []] + groups()


def expect_nothing_left():
    """An interrupted run tidies up for 8 s at most, and what it had no time for goes with the next (docs/docker.md).
    That is for slow guests: where a start takes a minute, so does a removal."""
    if not wait_until(lambda: not left(), 20) and PACE > 2:
        note("left to the next run: %s" % left())
        run("medium", "bash", PROGRAMS["bash"])
    expect(wait_until(lambda: not left(), 20), "left: %s" % left())


# ---- the story -----------------------------------------------------------------------------------------------------

def package_installs():
    packages = glob.glob(os.path.join(STAGE, "build/sandbox-agent_*.deb"))
    if not packages:
        raise Skip("no package is built (make deb)")
    must("dpkg", "-i", packages[0])
    with open(CONFIG, "w") as file:
        json.dump(SETTINGS, file)
    loaded = read("/sys/kernel/security/apparmor/profiles")
    expect(all(name + " (enforce)" in loaded for name in set(PROFILE.values())),
           "the package loaded no profile: %s" % loaded)


def docker_starts_as_systemd_does_it():
    """Its packages without their scripts, so what those would have made is made here."""
    if not os.path.isdir(HAND):
        raise Skip("Docker was not taken along (run.sh --docker)")
    must("tar", "-C", "/", "--keep-directory-symlink", "-xf", HAND + "/tree.tar")
    for name in ("iptables", "ip6tables"):
        os.symlink("xtables-nft-multi", "/usr/sbin/" + name)
    must("groupadd", "--system", "docker")
    must("ldconfig")
    must("systemctl", "daemon-reload")
    started = command("systemctl", "start", "docker.service")
    expect(started.returncode == 0,
           command("journalctl", "--no-pager", "-o", "cat", "-u", "docker", "-u", "containerd").stdout[-2500:])
    info = ask("/info")
    note({key: info.get(key) for key in ("ServerVersion", "CgroupVersion", "CgroupDriver", "Driver", "SecurityOptions",
                                         "KernelVersion", "Warnings")})
    expect((info["CgroupVersion"], info["CgroupDriver"]) == ("2", "systemd"),
           "control groups: %s" % info["CgroupVersion"])
    expect("name=apparmor" in info["SecurityOptions"], info["SecurityOptions"])


def image_is_imported():
    note(must("python3", STAGE + "/deploy/images/make-image", "--from", HAND + "/python.tar", "--tag", IMAGE,
              "--socket", SOCKET))


def runs(level, language):
    def test():
        result = run(level, language, PROGRAMS[language])
        note(brief(result))
        expect(result["reason"] == "completed" and result["stdout"] == "42\n", brief(result))
        isolation = result["isolation"]
        note(json.dumps(isolation))
        loose = [key for key in IN_FORCE if not isolation.get(key)]
        expect(not loose, "not in force: %s" % loose)
        expect(isolation["cgroup"] == "v2" and isolation["apparmor"] == PROFILE[level],
               "cgroup %(cgroup)s apparmor %(apparmor)s" % isolation)
        unknown = [line for line in isolation["missing"] if line.split(":")[0] not in NOT_DOCKERS]
        expect(not unknown, "missing %s" % unknown)
        expect(result["cpu_ms"] > 0 and result["peak_memory_bytes"] > 0, brief(result))
        expect_nothing_left()
    return test


def status_of(pid):
    return dict(line.split(":\t", 1) for line in read("/proc/%s/status" % pid).splitlines() if ":\t" in line)


def look_at(group, level):
    memory, cpu, pids = LIMITS[level]
    quota, period = read(group + "/cpu.max").split()
    found = int(read(group + "/memory.max")), int(quota) / int(period), int(read(group + "/pids.max")), read(
        group + "/memory.swap.max")
    note("%s: memory %d, cpu %s, pids %d, swap %s" % ((os.path.basename(group),) + found))
    expect(found[:2] == (memory, cpu) and pids <= found[2] <= pids + 4 and found[3] == "0", "%s in %s" % (found, group))
    everybody = read(group + "/cgroup.procs").split()
    expect(len(everybody) == 2, "not sandbox-entry and the program: %s"
           % [read("/proc/%s/cmdline" % pid) for pid in everybody])
    for pid in everybody:
        expect(read("/proc/%s/attr/current" % pid) == PROFILE[level] + " (enforce)",
               read("/proc/%s/attr/current" % pid))
        is_ = status_of(pid)
        expect((is_["Seccomp"], is_["NoNewPrivs"]) == ("2", "1") and "0" not in is_["Uid"].split() + is_["Gid"].split(),
               is_)
        loose = [name for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb") if int(is_[name], 16)]
        expect(not loose, "%s of %s" % (loose, pid))
        shared = [name for name in NAMESPACES
                  if os.readlink("/proc/%s/ns/%s" % (pid, name)) == os.readlink("/proc/self/ns/" + name)]
        expect(not shared, "%s shares with us: %s" % (pid, shared))


@contextlib.contextmanager
def program_that_waits(level, text="print('up', flush=True)"):
    """Runs `text`, then waits for a line of its standard input (at high it may not import `time`). -> process, its
    first line"""
    path = "/run/guest-waiter.py"
    with open(path, "w") as file:
        file.write(text + "\nprint(input())\n")
    process = subprocess.Popen(["sandbox-agent", "run", "--config", CONFIG, "--backend", "docker", "--risk-level",
                                level, "--language", "python",
                                "--code", path, "--stdin", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)
    try:
        first = process.stdout.readline()
        expect(process.poll() is None, first)
        yield process, first
    finally:
        if process.poll() is None:
            process.terminate()
            process.communicate(timeout=PATIENCE_S)


def looks_right_from_outside(level):
    def test():
        with program_that_waits(level) as (process, first):
            expect(first == "up\n", first)
            group, = groups()
            look_at(group, level)
            rest, _ = process.communicate("over\n", timeout=PATIENCE_S)
            expect((process.returncode, rest) == (0, "over\n"), "%d %s" % (process.returncode, rest[-800:]))
        expect_nothing_left()
    return test


def reason_is_told(reason, level, language, text, *options):
    def test():
        result = run(level, language, text, *options)
        note(brief(result))
        expect(result["reason"] == reason, brief(result))
        expect(result["cpu_ms"] > 0 and result["peak_memory_bytes"] > 0, brief(result))
        expect_nothing_left()
    return test


def without_the_profile_it_runs_and_says_so():
    """As natively: one more lock where there is one, and no level requires it."""
    must("apparmor_parser", "-R", "/etc/apparmor.d/sandbox-agent-confined")
    try:
        result = run("medium", "python", "print(6 * 7)")
    finally:
        must("apparmor_parser", "-r", "/etc/apparmor.d/sandbox-agent-confined")
    note(brief(result))
    expect(result["reason"] == "completed" and not result["isolation"]["apparmor"], brief(result))
    expect([line for line in result["isolation"]["missing"] if line.startswith("apparmor:")], brief(result))
    expect_nothing_left()


def what_runs_is_under_the_profile():
    result = run("low", "bash", "cat /proc/self/attr/current")
    expect(result["stdout"] == "sandbox-agent-default (enforce)\n", brief(result))


def runs_in_the_bridge_do_not_reach_each_other():
    """By the packet filter of Docker's; that the host gets through shows that somebody listens."""
    listen = ("import socket\ns = socket.socket()\ns.bind(('0.0.0.0', 8000))\ns.listen(8)\n"
              "print(socket.gethostbyname(socket.gethostname()), flush=True)")
    reach = ("import socket\ntry:\n    socket.create_connection((%r, 8000), 5)\n    print('reached')\n"
             "except OSError as e:\n    print('not', e)")
    with program_that_waits("low", listen) as (_, address):
        socket.create_connection((address.strip(), 8000), PATIENCE_S).close()
        result = run("low", "python", reach % address.strip())
        note("%s: %s" % (address.strip(), result["stdout"]))
        expect(result["stdout"].startswith("not "), brief(result))
    expect_nothing_left()


def what_a_killed_command_line_leaves_goes():
    """Killed itself, its engine process cleans up; where that is killed, the next run does."""
    with program_that_waits("medium") as (process, _):
        process.kill()
        process.communicate(timeout=PATIENCE_S)
    expect_nothing_left()
    with program_that_waits("medium") as (process, _):
        engine, = must("pidof", "sandbox-engine").split()
        os.kill(int(engine), signal.SIGKILL)
        said, _ = process.communicate(timeout=PATIENCE_S)
        expect(process.returncode == 125 and "sandbox-engine died" in said, "%d %s" % (process.returncode, said[-800:]))
    expect(left(), "nothing was left, so nothing is shown")
    run("medium", "bash", PROGRAMS["bash"])
    expect_nothing_left()


# ---- the service ---------------------------------------------------------------------------------------------------

def in_the_service(code):
    return service.execute(code, "medium", backend="docker")


def is_python_running():
    """Not runc, which is in the group before it."""
    pids = [pid for group in groups() for pid in service.slurp(group + "/cgroup.procs").decode().split()]
    return any(b"python" in service.slurp("/proc/%s/cmdline" % pid) for pid in pids)


def start_in_the_service():
    """-> thread, its answers, when the program runs"""
    answers = []
    thread = threading.Thread(target=lambda: answers.append(in_the_service("import time\nprint('up', flush=True)\n"
                                                                           "time.sleep(600)")))
    thread.start()
    started = wait_until(lambda: answers or is_python_running(), 120)
    expect(started and not answers, "it does not run: %s" % str(answers)[:800])
    return thread, answers


def the_service_runs_containers():
    """As the documentation has it: its user in the group `docker`, and within all that its unit forbids."""
    must("usermod", "--append", "--groups", "docker", "sandbox-agent")
    with open("/etc/sandbox-agent/config.yaml", "w") as file:
        json.dump(SETTINGS, file)
    must("systemctl", "start", "sandboxd.service")
    said = [line for line in service.journal("sandboxd.service").splitlines() if "first key" in line]
    service.state["key"] = said[-1].rsplit(" ", 1)[1]
    status, result = in_the_service("print(6 * 7)")
    expect(status == 200 and result["stdout"] == "42\n" and result["backend"] == "docker",
           "%s %s" % (status, str(result)[:1500]))
    isolation = result["isolation"]
    expect(isolation["cgroup"] == "v2" and isolation["apparmor"] == PROFILE["medium"], json.dumps(isolation))
    unknown = [line for line in isolation["missing"] if line.split(":")[0] not in NOT_DOCKERS]
    expect(not unknown and result["cpu_ms"] > 0 and result["peak_memory_bytes"] > 0,
           "missing %s, %s" % (unknown, brief(result)))
    expect_nothing_left()


def docker_that_stops_ends_the_run_and_the_next_starts_it():
    thread, answers = start_in_the_service()
    must("systemctl", "stop", "docker.service", "docker.socket")
    thread.join(2 * PATIENCE_S)
    expect(answers and answers[0][0] == 500 and answers[0][1]["error"]["details"]["step"] == "ENGINE",
           str(answers)[:800])
    must("systemctl", "start", "docker.service")
    status, result = in_the_service("print('again')")
    expect(status == 200 and result["stdout"] == "again\n", "%s %s" % (status, str(result)[:800]))
    expect_nothing_left()


def stopping_the_service_ends_its_container():
    thread, answers = start_in_the_service()
    must("systemctl", "stop", "sandboxd.socket", "sandboxd.service")
    thread.join(PATIENCE_S)
    expect(answers and answers[0][1].get("reason") == "killed", str(answers)[:800])
    expect_nothing_left()
    expect(must("systemctl", "show", "-P", "Result", "sandboxd.service").strip() == "success",
           service.journal("sandboxd.service")[-800:])


def docker_stops():
    must("systemctl", "stop", "docker.socket", "docker.service", "containerd.service")


MEMORY_HOG = "kept = []\nwhile True:\n    kept.append(b'x' * (1 << 20))\n"
FORK_BOMB = "bomb() { bomb | bomb & }\nbomb\nwhile :; do :; done\n"


def names(*tests):
    return [(test.__name__.replace("_", " "), test) for test in tests]


def story():
    for language in SUFFIX:
        for level in LEVELS:
            yield "%s at %s" % (language, level), runs(level, language)
    yield "oom", reason_is_told("oom", "medium", "python", MEMORY_HOG)
    yield "pids_limit", reason_is_told("pids_limit", "medium", "bash", FORK_BOMB)
    yield "timeout", reason_is_told("timeout", "medium", "python", "while True:\n    pass", "--timeout", "5")
    for level in LEVELS:
        yield "%s looks right from outside" % level, looks_right_from_outside(level)
    yield from names(without_the_profile_it_runs_and_says_so, what_runs_is_under_the_profile,
                     runs_in_the_bridge_do_not_reach_each_other,
                     what_a_killed_command_line_leaves_goes)
    # the service's story in itself: pick all three
    yield from names(the_service_runs_containers, docker_that_stops_ends_the_run_and_the_next_starts_it,
                     stopping_the_service_ends_its_container)


def main():
    words = sys.argv[1:]
    picked = [(name, test) for name, test in story() if not words or any(word in name for word in words)]
    if not picked:
        sys.exit("no test has %s in its name" % " or ".join(words))
    failed = run_tests("docker", names(package_installs, docker_starts_as_systemd_does_it, image_is_imported) + picked
                       + names(docker_stops))
    if failed:
        note("---- docker ----\n" + command("journalctl", "--no-pager", "-o", "cat", "-u",
                                            "docker.service").stdout[-4000:])
        note("---- sandboxd ----\n" + service.journal("sandboxd.service")[-2000:])
        note("---- apparmor ----\n" + "\n".join([line for line in command(
            "journalctl", "--no-pager", "-k", "-o", "cat").stdout.splitlines() if "DENIED" in line][-30:]))
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
