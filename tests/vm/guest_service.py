"""sandboxd as systemd runs it: the Debian package, socket activation, the service without powers, its launcher, and
what is left when both are stopped.

Run as root in the guest, after `make deb` on the host. The tests are one story, in order. For this part alone:
    tests/vm/run.sh -- python3 tests/vm/guest_service.py
"""
import glob
import http.client
import json
import os
import pwd
import signal
import socket
import subprocess
import sys
import threading
import time

from guest_report import AS_TESTER, CGROUPS, STAGE, Outside, Skip, expect, note, read, run_tests, seconds, wait_until

BASE = "/api/v1/sandbox"
API_SOCKET, LAUNCHER_SOCKET = "/run/sandbox-agent/api.sock", "/run/sandbox-agent/launcher.sock"
SLICE = CGROUPS + "/sandbox.slice/sandbox-agent.slice"
CAPABILITIES = {1: "dac_override", 6: "setgid", 7: "setuid", 21: "sys_admin"}  # src/daemon/capabilities.h
PATIENCE_S = seconds(120)
state = {}


def command(*argv, **options):
    return subprocess.run(argv, capture_output=True, text=True, errors="replace", timeout=seconds(240), **options)


def must(*argv, **options):
    done = command(*argv, **options)
    expect(done.returncode == 0, "%s: %d %s %s"
           % (" ".join(argv), done.returncode, done.stdout[-600:], done.stderr[-1200:]))
    return done.stdout


def journal(unit):
    return command("journalctl", "--no-pager", "-o", "cat", "-u", unit).stdout


class UnixConnection(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(API_SOCKET)


def ask(method, path, body=None, key=True, unix=False):
    """-> status, object"""
    connection = (UnixConnection if unix else http.client.HTTPConnection)("127.0.0.1", 8080, timeout=PATIENCE_S)
    headers = {"Authorization": "Bearer " + state["key"]} if key else {}
    if body is not None:
        headers["Content-Type"] = "application/json"
    connection.request(method, path, json.dumps(body) if body is not None else None, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    try:
        return answer.status, json.loads(text)
    except ValueError:
        return answer.status, text


def execute(code, level, unix=False, **more):
    return ask("POST", BASE + "/execute", dict({"language": "python", "code": code, "risk_level": level}, **more),
               unix=unix)


def main_pid(unit):
    return int(must("systemctl", "show", "-P", "MainPID", unit))


def is_active(unit):
    return command("systemctl", "is-active", unit).stdout.strip() == "active"


def launchers():
    """Main processes of the launcher's units."""
    units = must("systemctl", "list-units", "--plain", "--no-legend", "--state=running",
                 "sandbox-launcher@*.service").split("\n")
    return [main_pid(line.split()[0]) for line in units if line.split()]


def status_of(pid):
    return dict(line.split(":\t", 1) for line in read("/proc/%d/status" % pid).splitlines() if ":\t" in line)


def sandbox_cgroups():
    return [path for path, _, _ in os.walk(CGROUPS) if os.path.basename(path).startswith("sandbox-agent.")
            and not path.endswith(".slice")]


# ---- the story -----------------------------------------------------------------------------------------------------

def package_installs():
    packages = glob.glob(os.path.join(STAGE, "build/sandbox-agent_*.deb"))
    if not packages:
        raise Skip("no package is built (make deb)")
    state["outside"] = Outside()
    must("dpkg", "-i", packages[0])
    expect(pwd.getpwnam("sandbox-agent").pw_uid != 0, "no user")
    expect(must("sandboxd", "--version").startswith("sandboxd "), "no version")


def sockets_wait_and_nothing_runs():
    expect(is_active("sandboxd.socket") and is_active("sandbox-launcher.socket"), "a socket is not active")
    expect(not is_active("sandboxd.service") and not launchers(), "something runs before anybody asked")
    st = os.stat(LAUNCHER_SOCKET)
    expect((st.st_uid, st.st_mode & 0o777) == (pwd.getpwnam("sandbox-agent").pw_uid, 0o600),
           "launcher.sock: %s" % oct(st.st_mode))


def first_request_starts_the_service():
    status, answer = ask("GET", "/healthz", key=False)
    expect(status == 200, "healthz: %s %s; %s" % (status, answer, journal("sandboxd.service")[-1500:]))
    expect(wait_until(lambda: is_active("sandboxd.service"), 60), "not active: " + journal("sandboxd.service")[-1500:])
    said = [line for line in journal("sandboxd.service").splitlines() if "first key" in line]
    expect(len(said) == 1, "first key: %s" % journal("sandboxd.service")[-1500:])
    state["key"] = said[0].rsplit(" ", 1)[1]


def service_has_no_powers():
    is_ = status_of(main_pid("sandboxd.service"))
    expect(is_["Uid"].split() == [str(pwd.getpwnam("sandbox-agent").pw_uid)] * 4, "uid " + is_["Uid"])
    for kind in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        expect(int(is_[kind], 16) == 0, "%s %s" % (kind, is_[kind]))
    expect(is_["NoNewPrivs"] == "1" and is_["Seccomp"] == "2", "NoNewPrivs %(NoNewPrivs)s Seccomp %(Seccomp)s" % is_)


def every_level_runs():
    for level, unix in (("low", False), ("medium", True), ("high", False)):
        status, result = execute("print(6 * 7)", level, unix=unix)
        expect(status == 200 and result["reason"] == "completed" and result["stdout"] == "42\n",
               "%s: %s %s" % (level, status, str(result)[:1500]))
        expect(not {"memory", "cpu", "pids", "cgroup"} & set(result["isolation"]["missing"]),
               "%s misses %s" % (level, result["isolation"]["missing"]))
        note("%s: missing %s, %s ms" % (level, result["isolation"]["missing"], result["duration_ms"]))


def launcher_has_four_capabilities():
    found = launchers()
    expect(len(found) == 1, "launchers: %s" % found)
    for kind in ("CapPrm", "CapEff", "CapBnd"):
        have = {n for n in range(64) if int(status_of(found[0])[kind], 16) >> n & 1}
        expect(have == set(CAPABILITIES), "%s: %s" % (kind, sorted(have)))


def start_sleeper(level="low"):
    answers = []
    thread = threading.Thread(target=lambda: answers.append(execute("import time\nprint('up', flush=True)\n"
                                                                    "time.sleep(271)", level)))
    thread.start()
    expect(wait_until(lambda: [p for p in glob.glob("/proc/[0-9]*/cmdline") if b"time.sleep(271)" in slurp(p)
                               or is_sandboxed(p)], 60), "it does not run")
    return thread, answers


def slurp(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def is_sandboxed(path):
    """A python under a host uid of a sandbox (launch/maps.c)."""
    try:
        return b"python" in slurp(path) and os.stat(os.path.dirname(path)).st_uid >= 0x70000000
    except OSError:
        return False


def sandboxes_live_in_the_launchers_own_cgroup():
    thread, answers = start_sleeper()
    own = must("systemctl", "show", "-P", "ControlGroup", "sandbox-launcher@*.service").strip()
    groups = sandbox_cgroups()
    expect(own and groups and all(path.startswith(CGROUPS + own + "/") for path in groups),
           "unit %s, sandboxes %s" % (own, groups))
    state["sleeper"] = thread, answers


def death_of_the_launcher_ends_its_run_and_the_next_works():
    thread, answers = state["sleeper"]
    dead, = launchers()
    os.kill(dead, signal.SIGKILL)
    thread.join(PATIENCE_S)
    expect(answers, "the run hangs")
    status, answer = answers[0]
    expect("sandbox_error" in json.dumps(answer), "%s %s" % (status, str(answer)[:800]))
    note("the run that lost its launcher: %s %s" % (status, json.dumps(answer)[:300]))
    status, result = execute("print('again')", "low")
    expect(status == 200 and result["stdout"] == "again\n", "%s %s" % (status, str(result)[:800]))
    expect(launchers() and launchers() != [dead], "launchers: %s" % launchers())


def capabilities_are_told():
    status, answer = ask("GET", BASE + "/capabilities")
    expect(status == 200, "%s %s" % (status, str(answer)[:800]))
    note(json.dumps(answer)[:2500])


def reload_is_taken():
    must("systemctl", "reload", "sandboxd.service")
    status, answer = ask("GET", "/readyz", key=False)
    expect(status == 200, "%s %s" % (status, answer))


def root_writes_beside_the_service():
    program = "/run/guest-beside.py"
    with open(program, "w") as file:
        file.write("print('root')\n")
    expect(must("sandbox-agent", "run", "--language", "python", "--risk-level", "low", "--code", program) == "root\n",
           "root's own run")
    os.unlink(program)
    foreign = [path for top in ("/var/log/sandbox", "/var/lib/sandbox-agent") for folder, dirs, files in os.walk(top)
               for path in (os.path.join(folder, name) for name in files + dirs)
               if os.stat(path).st_uid != pwd.getpwnam("sandbox-agent").pw_uid]
    expect(not foreign, "not the service's: %s" % foreign)
    status, result = execute("print('after')", "medium")
    expect(status == 200 and result["stdout"] == "after\n", "%s %s" % (status, str(result)[:800]))
    must("sandbox-agent", "audit", "verify")


def others_get_no_launcher():
    code = "import socket; s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET); s.connect(%r)"
    for path in (LAUNCHER_SOCKET, API_SOCKET):
        done = command(AS_TESTER, "--plain", "python3", "-c",
                       (code if path == LAUNCHER_SOCKET else code.replace("SEQPACKET", "STREAM")) % path)
        expect("PermissionError" in done.stderr, "%s: %d %s" % (path, done.returncode, done.stderr[-300:]))


def stopping_leaves_nothing():
    thread, answers = start_sleeper()
    begun = time.monotonic()
    must("systemctl", "stop", "sandboxd.socket", "sandboxd.service")
    thread.join(PATIENCE_S)
    expect(answers and "killed" in json.dumps(answers[0]), "the run that was under way: %s" % str(answers)[:800])
    note("stopped in %.0f s" % (time.monotonic() - begun))
    expect(wait_until(lambda: not launchers() and not sandbox_cgroups(), 20),
           "left: %s %s" % (launchers(), sandbox_cgroups()))
    expect(command("systemctl", "show", "-P", "Result", "sandboxd.service").stdout.strip() == "success",
           journal("sandboxd.service")[-800:])
    left = [thing for thing in state["outside"].leftovers(20) if not thing.startswith(("file", "mount")) and
            not thing.endswith((".slice", ".socket"))]  # systemd's own, of what is still installed
    expect(not left, "left: %s" % left)


def purging_takes_everything_away():
    must("dpkg", "--purge", "sandbox-agent")
    left = [path for path in ("/usr/bin/sandboxd", "/var/lib/sandbox-agent", "/var/log/sandbox", "/var/cache/sandboxd",
                              "/etc/sandbox-agent",
                              "/usr/share/sandbox-agent", "/etc/systemd/system/sockets.target.wants/sandboxd.socket")
                              if os.path.lexists(path)]
    expect(not left, "left: %s" % left)
    expect(not is_active("sandboxd.socket") and not is_active("sandbox-launcher.socket"), "a socket is still there")


STORY = (package_installs, sockets_wait_and_nothing_runs, first_request_starts_the_service, service_has_no_powers,
         every_level_runs,
         launcher_has_four_capabilities, sandboxes_live_in_the_launchers_own_cgroup,
         death_of_the_launcher_ends_its_run_and_the_next_works,
         capabilities_are_told, reload_is_taken, root_writes_beside_the_service, others_get_no_launcher,
         stopping_leaves_nothing, purging_takes_everything_away)


def main():
    failed = run_tests("service", [(test.__name__.replace("_", " "), test) for test in STORY])
    if failed:
        for unit in ("sandboxd.service", "sandbox-launcher@*.service"):
            note("---- %s ----\n%s" % (unit, journal(unit)[-3000:]))
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
