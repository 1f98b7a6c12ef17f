"""What a fresh Debian makes of the package: as its process 1, without systemd. One line a test; the sum comes last.
tests/package/run.sh calls it."""
import fcntl
import glob
import http.client
import json
import os
import pwd
import re
import signal
import socket
import struct
import subprocess
import time

PATIENCE_S = 60
failed = passed = 0


def command(*argv, **options):
    return subprocess.run(argv, capture_output=True, text=True, timeout=PATIENCE_S, **options)


def must(*argv, **options):
    done = command(*argv, **options)
    assert done.returncode == 0, "%s: %d %s %s" % (" ".join(argv), done.returncode, done.stdout[-500:],
                                                   done.stderr[-900:])
    return done.stdout


def raise_loopback():
    with socket.socket() as s:
        fcntl.ioctl(s, 0x8914, struct.pack("16sh", b"lo", 0x1 | 0x40))  # SIOCSIFFLAGS: up, running


def status_of(pid):
    return dict(line.split(":\t", 1) for line in open("/proc/%d/status" % pid) if ":\t" in line)


def children(pid):
    return [int(p) for task in glob.glob("/proc/%d/task/*/children" % pid) for p in open(task).read().split()]


class Service:
    """sandboxd, started by root with nothing but its name."""

    def __init__(self):
        self.log = open("/tmp/sandboxd.log", "w+")
        self.process = subprocess.Popen(["sandboxd"], stdout=self.log, stderr=subprocess.STDOUT,
                                        stdin=subprocess.DEVNULL)
        until = time.monotonic() + PATIENCE_S
        while "listening" not in self.said() and self.process.poll() is None and time.monotonic() < until:
            time.sleep(0.05)
        assert "listening on http://127.0.0.1:8080/api/v1/sandbox" in self.said(), self.said()

    def said(self):
        return open("/tmp/sandboxd.log").read()

    def key(self):
        line, = [line for line in self.said().splitlines() if "first key" in line]
        return line.rsplit(" ", 1)[1]

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(PATIENCE_S) == 0, self.said()


def ask(method, path, body=None, key=None):
    connection = http.client.HTTPConnection("127.0.0.1", 8080, timeout=PATIENCE_S)
    headers = {"Content-Type": "application/json", **({"Authorization": "Bearer " + key} if key else {})}
    connection.request(method, path, json.dumps(body) if body else None, headers)
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read() or "null")


key = None


def it_installs_without_systemd():
    must("dpkg", "-i", "/package.deb")
    assert must("sandboxd", "--version").startswith("sandboxd ")
    assert must("sandbox-agent", "--version").startswith("sandbox-agent ")
    assert pwd.getpwnam("sandbox-agent").pw_uid > 0


def root_s_command_line_works_before_there_is_a_service():
    open("/tmp/a.py", "w").write("print(6 * 7)\n")
    assert must("sandbox-agent", "--language", "python", "--risk-level", "low", "--code", "/tmp/a.py") == "42\n"
    assert os.stat("/var/lib/sandbox-agent").st_uid == 0


def the_docker_backend_is_there_and_says_which_engine_it_misses():
    assert all(os.access("/usr/libexec/sandbox-agent/" + name, os.X_OK) for name in ("sandbox-engine", "sandbox-entry"))
    done = command("sandbox-agent", "--backend", "docker", "--language", "python", "--risk-level", "medium", "--code",
                   "/tmp/a.py")
    assert (done.returncode == 125 and "/var/run/docker.sock" in done.stderr
            and "docker.daemon.socket" in done.stderr), done


def the_service_starts_with_nothing_and_takes_over_what_root_began():
    global key
    service = Service()
    try:
        key = service.key()
        user = pwd.getpwnam("sandbox-agent").pw_uid
        for folder in ("/var/lib/sandbox-agent", "/var/log/sandbox"):
            foreign = [path for top, dirs, files in os.walk(folder)
                       for path in [top] + [os.path.join(top, f) for f in files] if os.stat(path).st_uid != user]
            assert not foreign, foreign
        status, result = ask("POST", "/api/v1/sandbox/execute", {"language": "python", "code": "print(6 * 7)"}, key)
        assert status == 200 and result["stdout"] == "42\n", (status, result)
        assert ask("POST", "/api/v1/sandbox/execute", {"language": "python", "code": "print(1)"})[0] == 401
        below, = [pid for pid in children(service.process.pid) if status_of(pid)["Name"].strip() == "sandboxd"]
        of = status_of(below)
        assert (of["Uid"].split() == [str(user)] * 4 and int(of["CapBnd"], 16) == int(of["CapPrm"], 16) == 0
                and of["NoNewPrivs"].strip() == "1"), of
        # beside it
        assert must("sandbox-agent", "--language", "python", "--risk-level", "low", "--code", "/tmp/a.py") == "42\n"
        must("sandbox-agent", "audit", "verify")
    finally:
        service.stop()


def the_second_start_tells_no_key():
    service = Service()
    try:
        assert "first key" not in service.said(), service.said()
        assert ask("GET", "/api/v1/sandbox/executions", key=key)[0] == 200
    finally:
        service.stop()


def an_upgrade_keeps_state_and_a_changed_configuration():
    with open("/etc/sandbox-agent/config.yaml", "a") as file:
        file.write("# mine\n")
    must("dpkg", "--force-confold", "-i", "/package.deb")
    assert "# mine" in open("/etc/sandbox-agent/config.yaml").read()
    assert os.path.exists("/var/lib/sandbox-agent/state.db")


def nothing_is_left_running():
    left = [p for p in os.listdir("/proc") if p.isdigit() and int(p) != os.getpid()
            and status_of(int(p))["Name"].strip().startswith("sandbox")
            and not status_of(int(p))["State"].startswith("Z")]
    assert not left, left


def its_documents_have_links_that_work():
    top = "/usr/share/doc/sandbox-agent"
    broken = [(folder, link) for folder, _, files in os.walk(top) for name in files if name.endswith(".md")
              for link in re.findall(r"\]\(([^)\s#]+)[^)]*\)", open(os.path.join(folder, name)).read())
              if "://" not in link and not os.path.exists(os.path.join(folder, link))]
    assert not broken, broken
    assert os.path.exists(top + "/README.md") and os.path.exists(top + "/docs/configuration.md")
    maintainer = must("dpkg-query", "-W", "-f", "${Maintainer}", "sandbox-agent")
    assert "sandbox-agent" in maintainer and "localhost" not in maintainer, maintainer


def purging_leaves_nothing():
    # as an import by root does
    os.makedirs("/usr/share/sandbox-agent/sdk/python/sandbox_agent/__pycache__", exist_ok=True)
    must("dpkg", "--purge", "sandbox-agent")
    left = [path for path in ("/var/lib/sandbox-agent", "/var/log/sandbox", "/var/cache/sandbox-agent",
                              "/var/cache/sandboxd", "/etc/sandbox-agent",
                              "/run/sandbox-agent", "/usr/share/doc/sandbox-agent", "/usr/bin/sandboxd",
                              "/usr/share/sandbox-agent", "/usr/libexec/sandbox-agent") if os.path.lexists(path)]
    assert not left, left
    for database in ("passwd", "group"):
        assert command("getent", database, "sandbox-agent").returncode == 2, database
    left = must("find", "/etc", "/usr", "/var", "/run", "-xdev", "-name", "*sandbox-agent*", "-o", "-xdev", "-name",
                "sandboxd*").split()
    # dpkg's own memory of a purged package is empty
    assert not [p for p in left if not p.startswith("/var/lib/dpkg/")], left


raise_loopback()
for test in (it_installs_without_systemd, its_documents_have_links_that_work,
             root_s_command_line_works_before_there_is_a_service,
             the_docker_backend_is_there_and_says_which_engine_it_misses,
             the_service_starts_with_nothing_and_takes_over_what_root_began,
             the_second_start_tells_no_key, an_upgrade_keeps_state_and_a_changed_configuration, nothing_is_left_running,
             purging_leaves_nothing):
    name = test.__name__.replace("_", " ")
    try:
        test()
        passed += 1
        print("ok " + name, flush=True)
    except Exception as wrong:  # the next ones still run
        failed += 1
        print("not ok %s: %s: %s" % (name, type(wrong).__name__, str(wrong)[:2000]), flush=True)
print("%d passed, %d failed, 0 skipped" % (passed, failed))
raise SystemExit(bool(failed))
