"""The docker backend on cgroup v2 with systemd and AppArmor: Debian's Docker as systemd runs it, the installed package, root's command line.

Run as root in the guest, after `make deb` on the host. The tests are one story, in order:
    tests/vm/run.sh --docker --timeout 900 -- python3 tests/vm/guest_docker.py
"""
import glob
import http.client
import json
import os
import socket
import subprocess
import sys

from guest_report import CGROUPS, STAGE, Skip, expect, note, read, run_tests, wait_until

HAND = os.path.join(STAGE, ".vm/docker")  # of run.sh --docker
SOCKET, IMAGE, CONFIG = "/run/docker.sock", "sandbox-agent/python:12", "/etc/sandbox-agent/docker.yaml"
LEVELS = ("low", "medium", "high")
SUFFIX = {"python": "py", "bash": "sh"}
PROGRAMS = {"python": "print(6 * 7)", "bash": "echo $((6 * 7))"}
LIMITS = {"low": (512 << 20, 1.0, 50), "medium": (256 << 20, 0.5, 20), "high": (128 << 20, 0.25, 10)}
IN_FORCE = ("pid_ns", "mount_ns", "net_ns", "ipc_ns", "uts_ns", "seccomp", "landlock", "no_new_privs")
PROFILE = {"low": "sandbox-agent-default", "medium": "sandbox-agent-confined", "high": "sandbox-agent-confined"}
# What Docker cannot do, whatever the machine: docs/docker.md
NOT_DOCKERS = ("user_ns", "monitoring", "kill_switches", "network", "time_ns", "artifacts", "max_processes", "disable_loopback")
SETTINGS = {"docker": {"daemon": {"socket": SOCKET, "timeout": "60"}, "container": {"accept_missing": ["user_ns", "monitoring", "kill_switches", "network"]}},
            "languages": {name: {"default_image": IMAGE} for name in SUFFIX}}


def command(*argv, timeout=300):
    return subprocess.run(argv, capture_output=True, text=True, errors="replace", timeout=timeout, stdin=subprocess.DEVNULL)


def must(*argv):
    done = command(*argv)
    expect(done.returncode == 0, "%s: %d %s %s" % (" ".join(argv), done.returncode, done.stdout[-600:], done.stderr[-1500:]))
    return done.stdout


class Engine(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(SOCKET)


def ask(path):
    engine = Engine("localhost", timeout=120)
    engine.request("GET", path)
    answer = json.loads(engine.getresponse().read())
    engine.close()
    return answer


def run(level, language, text, *options):
    path = "/run/guest-program." + SUFFIX[language]
    with open(path, "w") as file:
        file.write(text + "\n")
    done = command("sandbox-agent", "run", "--config", CONFIG, "--backend", "docker", "--json", "--risk-level", level, "--language", language,
                   "--code", path, *options)
    try:
        return json.loads(done.stdout)
    except ValueError:
        raise AssertionError("no result: status %d %s %s" % (done.returncode, done.stdout[-500:], done.stderr[-800:]))


def brief(result):
    said = {key: result.get(key) for key in ("reason", "exit_code", "signal", "stdout", "stderr", "error", "kill_switch", "duration_ms", "cpu_ms", "peak_memory_bytes")}
    said["missing"] = (result.get("isolation") or {}).get("missing")
    return json.dumps({key: value for key, value in said.items() if value})[:1800]


def groups():
    return [path for path, _, _ in os.walk(CGROUPS) if "docker-" in os.path.basename(path) and path.endswith(".scope")]


def left():
    return ["container " + c["Id"][:12] for c in ask("/containers/json?all=1")] + ["volume " + v["Name"] for v in ask("/volumes")["Volumes"] or []] + groups()


def expect_nothing_left():
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
    expect(all(name + " (enforce)" in loaded for name in set(PROFILE.values())), "the package loaded no profile: %s" % loaded)


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
    expect(started.returncode == 0, command("journalctl", "--no-pager", "-o", "cat", "-u", "docker", "-u", "containerd").stdout[-2500:])
    info = ask("/info")
    note({key: info.get(key) for key in ("ServerVersion", "CgroupVersion", "CgroupDriver", "Driver", "SecurityOptions", "KernelVersion", "Warnings")})
    expect((info["CgroupVersion"], info["CgroupDriver"]) == ("2", "systemd"), "control groups: %s" % info["CgroupVersion"])
    expect("name=apparmor" in info["SecurityOptions"], info["SecurityOptions"])


def image_is_imported():
    note(must("python3", STAGE + "/deploy/images/make-image", "--from", HAND + "/python.tar", "--tag", IMAGE, "--socket", SOCKET))


def runs(level, language):
    def test():
        result = run(level, language, PROGRAMS[language])
        note(brief(result))
        expect(result["reason"] == "completed" and result["stdout"] == "42\n", brief(result))
        isolation = result["isolation"]
        note(json.dumps(isolation))
        loose = [key for key in IN_FORCE if not isolation.get(key)]
        expect(not loose, "not in force: %s" % loose)
        expect(isolation["cgroup"] == "v2" and isolation["apparmor"] == PROFILE[level], "cgroup %(cgroup)s apparmor %(apparmor)s" % isolation)
        unknown = [line for line in isolation["missing"] if line.split(":")[0] not in NOT_DOCKERS]
        expect(not unknown, "missing %s" % unknown)
        expect(result["cpu_ms"] > 0 and result["peak_memory_bytes"] > 0, brief(result))
        expect_nothing_left()
    return test


def limits_seen_from_outside(level):
    def test():
        memory, cpu, pids = LIMITS[level]
        with open("/run/guest-sleeper.py", "w") as file:
            file.write("import time\nprint('up', flush=True)\ntime.sleep(600)\n")
        process = subprocess.Popen(["sandbox-agent", "run", "--config", CONFIG, "--backend", "docker", "--risk-level", level, "--language", "python",
                                    "--code", "/run/guest-sleeper.py"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)
        try:
            first = process.stdout.readline()
            expect(first == "up\n", "%s%s" % (first, "" if first == "up\n" else process.stdout.read()[-800:]))
            group, = groups()
            quota, period = read(group + "/cpu.max").split()
            found = int(read(group + "/memory.max")), int(quota) / int(period), int(read(group + "/pids.max")), read(group + "/memory.swap.max")
            expect(found[:2] == (memory, cpu) and pids <= found[2] <= pids + 4 and found[3] == "0", "%s in %s" % (found, group))
            labels = {read("/proc/%s/attr/current" % pid) for pid in read(group + "/cgroup.procs").split()}
            expect(labels == {PROFILE[level] + " (enforce)"}, labels)
        finally:
            process.terminate()
            process.communicate(timeout=60)
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


def docker_stops():
    must("systemctl", "stop", "docker.socket", "docker.service", "containerd.service")


MEMORY_HOG = "kept = []\nwhile True:\n    kept.append(b'x' * (1 << 20))\n"
FORK_BOMB = "bomb() { bomb | bomb & }\nbomb\nwhile :; do :; done\n"


def story():
    steps = [package_installs, docker_starts_as_systemd_does_it, image_is_imported]
    named = [(test.__name__.replace("_", " "), test) for test in steps]
    named += [("%s at %s" % (language, level), runs(level, language)) for language in SUFFIX for level in LEVELS]
    named += [("oom", reason_is_told("oom", "medium", "python", MEMORY_HOG)),
              ("pids_limit", reason_is_told("pids_limit", "medium", "bash", FORK_BOMB)),
              ("timeout", reason_is_told("timeout", "medium", "python", "while True:\n    pass", "--timeout", "5"))]
    named += [("without the profile it runs and says so", without_the_profile_it_runs_and_says_so)]
    named += [("limits of %s from outside" % level, limits_seen_from_outside(level)) for level in ("low", "high")]
    return named + [(test.__name__.replace("_", " "), test)
                    for test in (what_runs_is_under_the_profile, docker_stops)]


def main():
    failed = run_tests("docker", story())
    if failed:
        note("---- docker ----\n" + command("journalctl", "--no-pager", "-o", "cat", "-u", "docker.service").stdout[-4000:])
        note("---- apparmor ----\n" + "\n".join([line for line in command("journalctl", "--no-pager", "-k", "-o", "cat").stdout.splitlines() if "DENIED" in line][-30:]))
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
