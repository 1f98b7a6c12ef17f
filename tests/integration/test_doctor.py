"""sandbox-agent doctor: what it says is compared with what Python finds out by itself, on any machine.

The levels are tried through a stand-in for sandbox-agent where a test is about what doctor makes of an answer, and
through the real one, where it is built, in test_levels_are_what_a_run_says. Files that another machine would have
(Ubuntu's switches, a missing interpreter) are made up beneath a directory given with --root.
"""
import contextlib
import ctypes
import json
import os
import platform
import pty
import re
import resource
import shutil
import signal
import socketserver
import subprocess
import tempfile
import threading
import time

import pytest
from helpers import USERS, make_preload

REPO = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PREFIX = os.environ.get("SANDBOX_AGENT_PREFIX", os.path.join(REPO, "build"))
AGENT = os.path.join(PREFIX, "bin", "sandbox-agent")
POLICY = os.path.join(PREFIX, "libexec", "sandbox-agent", "sandbox-policy")
LEVELS = ("low", "medium", "high")
USER = 1000

# The facts that doctor.c promises, by group and check.
FACTS = {
    "host": {
        "machine": "kernel architecture distribution distribution_id",
        "environment": "container virtual_machine in_user_namespace systemd",
        "caller": "uid gid root capabilities no_new_privs",
        "rlimits": "nproc nofile as fsize stack cpu",
        "hardening": "fs.protected_symlinks dev.tty.legacy_tiocsti kernel.yama.ptrace_scope",
        "devices": "wrong",
    },
    "namespaces": {
        "user": "works failed_step errno max_user_namespaces unprivileged_userns_clone "
                "apparmor_restrict_unprivileged_userns",
        "others": "pid mount net ipc uts cgroup time",
        "private_root": "works failed_step errno",
        "proc": "works failed_step errno masks",
    },
    "resources": {
        "cgroup": "version used controllers own place delegated",
        "limits": "tried memory cpu pids join swap_limit cpu_burst host_has_swap",
        "pressure": "available",
    },
    "filters": {
        "syscalls": "clone3 openat2 open_tree move_mount mount_setattr seccomp",
        "seccomp": "available kill_process errno user_notif log wait_killable filters_over_us",
        "landlock": "abi errno truncate network ioctl scope",
        "apparmor": "enabled profiles_loaded confined_by",
        "selinux": "mode label",
    },
    "containers": {
        "engine": "used socket reachable",
        "isolation": "",
    },
    "languages": {
        **dict.fromkeys(("python", "node", "bash", "go", "rust", "linker"), "found path version package"),
        "packages": "numpy pandas",
        "scanner": "grammars",
    },
    "files": {
        "configuration": "files error",
        **dict.fromkeys(("log", "state", "cache", "temporary"), "path exists writable"),
        "retention": "log_files logs_bytes artifacts_bytes caches_bytes last_sweep_age_s",
    },
    "levels": dict.fromkeys(LEVELS, "verdict missing reason error language"),
}


def skip(why):
    if os.environ.get("SANDBOX_MUST_WORK") == "1":
        pytest.fail("must work, but: " + why)
    pytest.skip(why)


# ---- arranging ----

class Doctor:
    """A prefix of its own that everybody may read: the real sandbox-policy, and whatever stands for sandbox-agent."""

    def __init__(self):
        if not os.path.exists(POLICY):
            skip("%s is not built" % POLICY)
        self.dir = tempfile.mkdtemp(prefix="test-doctor-")
        os.chmod(self.dir, 0o755)
        self.policy = os.path.join(self.dir, "libexec", "sandbox-agent", "sandbox-policy")
        self.agent = os.path.join(self.dir, "bin", "sandbox-agent")
        os.makedirs(os.path.dirname(self.policy))
        os.makedirs(os.path.dirname(self.agent))
        shutil.copy(POLICY, self.policy)
        for place in ("home", "tmp"):
            os.mkdir(os.path.join(self.dir, place))
            os.chmod(os.path.join(self.dir, place), 0o1777)
        self.env = {"PATH": "/usr/bin:/bin", "HOME": self.path("home"), "TMPDIR": self.path("tmp"), "LC_ALL": "C.UTF-8"}
        self.uid = os.geteuid()
        self.agent_says(**{level: completed() for level in LEVELS})
        self.scanner_says("python: grammar and patterns\nbash: grammar and patterns\n")

    def scanner_says(self, text):
        self.write("libexec/sandbox-agent/sandbox-scan", "#!/bin/sh\nprintf '%%s' '%s'\n" % text, 0o755)

    def path(self, *parts):
        return os.path.join(self.dir, *parts)

    def write(self, path, text, mode=0o644):
        path = self.path(path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            f.write(text)
        os.chmod(path, mode)
        return path

    def agent_is(self, script):
        self.write("bin/sandbox-agent", "#!/bin/sh\n" + script, 0o755)

    def agent_says(self, **answers):
        """What the stand-in prints for each level: the result object, or any text."""
        cases = ""
        for level, answer in answers.items():
            text = answer if isinstance(answer, str) else json.dumps(answer)
            cases += "*' --risk-level %s '*) cat <<'END'\n%s\nEND\n;;\n" % (level, text)
        self.agent_is('cat >/dev/null\ncase " $* " in\n%sesac\n' % cases)

    def argv(self, *args):
        return [self.policy, "--data-dir", REPO, "doctor", *args]

    def identity(self):
        if self.uid == os.geteuid():
            return {}
        return {"user": self.uid, "group": self.uid, "extra_groups": []}

    def run(self, *args, prefix=(), **env):
        return subprocess.run([*prefix, *self.argv(*args)], capture_output=True, text=True, timeout=150, cwd="/",
                              env={**self.env, **env}, **self.identity())

    def report(self, *args, **options):
        done = self.run("--json", *args, **options)
        assert done.stderr == ""
        report = json.loads(done.stdout)
        assert done.returncode == (0 if report["ok"] else 1)
        return report


def completed(*missing):
    return {"reason": "completed", "exit_code": 0, "stdout": "well\n", "isolation": {"missing": list(missing)},
            "error": None}


def refused(message, remedy, step="REQUIRE"):
    return {"reason": "sandbox_error", "exit_code": None, "stdout": "", "isolation": {"missing": []},
            "error": {"code": "sandbox_error", "message": message, "step": step, "remedy": remedy}}


@pytest.fixture
def own():
    """Doctor as whoever runs the tests."""
    doctor = Doctor()
    yield doctor
    shutil.rmtree(doctor.dir)


@pytest.fixture(params=USERS)
def doctor(request, own):
    """Doctor as root (where the tests are) and as an ordinary user."""
    if request.param == "user" and os.geteuid() == 0:
        own.uid = USER
    return own


@pytest.fixture
def root(own):
    if os.geteuid() != 0:
        pytest.skip("arranging this takes root")
    return own


def read(path):
    with open(path) as f:
        return f.read()


def mounts():
    return [line.split() for line in read("/proc/self/mounts").splitlines()]


def status(key):
    return re.search("^%s:\\s*(\\S+)" % key, read("/proc/self/status"), re.M).group(1)


def works(doctor, *argv):
    return subprocess.run(argv, capture_output=True, env=doctor.env, cwd="/", **doctor.identity()).returncode == 0


# ---- the form ----

def test_json_is_one_object_with_the_documented_facts(doctor):
    report = doctor.report()
    assert report["schema"] == 1 and report["ok"] is True
    assert set(report) == {"schema", "ok"} | set(FACTS)
    for group, checks in FACTS.items():
        assert list(report[group]) and set(report[group]) == set(checks), group
        for name, facts in checks.items():
            assert set(facts.split()) <= set(report[group][name]), name


def test_every_check_has_status_summary_and_a_remedy_for_each_lack(doctor):
    for group in FACTS:
        for name, check in doctor.report()[group].items():
            assert check["status"] in ("ok", "info", "warn", "fail"), name
            assert check["summary"] and "\n" not in check["summary"], name
            assert check["detail"] is None or isinstance(check["detail"], str), name
            assert check["remedy"] is None or (check["remedy"] and "\n" not in check["remedy"]), name
            if check["status"] in ("warn", "fail"):
                assert check["remedy"], "%s.%s: %s" % (group, name, check["summary"])


def test_facts_have_their_types(doctor):
    r = doctor.report()
    for name in ("pid", "mount", "net", "ipc", "uts", "cgroup", "time"):
        assert isinstance(r["namespaces"]["others"][name], bool)
    assert r["resources"]["cgroup"]["version"] in ("v1", "v2", "hybrid", "none")
    assert isinstance(r["filters"]["landlock"]["abi"], int)
    assert isinstance(r["host"]["caller"]["capabilities"], list)
    assert isinstance(r["filters"]["seccomp"]["user_notif"], bool)
    for level in LEVELS:
        assert r["levels"][level]["verdict"] in ("works", "works_without", "refused")


def test_an_unknown_argument_is_a_usage_error_of_one_line_and_a_remedy(own):
    done = own.run("--jason")
    assert done.returncode == 2 and done.stdout == ""
    assert "--jason" in done.stderr and "--json" in done.stderr and len(done.stderr.splitlines()) == 2


def test_help_documents_the_keys_and_probes_nothing(own):
    own.agent_is("touch %s\n" % own.path("home", "was-run"))
    done = own.run("--help")
    assert done.returncode == 0 and ".levels.medium.verdict" in done.stdout
    assert len(done.stdout.splitlines()) <= 24 and max(map(len, done.stdout.splitlines())) <= 100
    assert not os.path.exists(own.path("home", "was-run"))


def test_text_is_ascii_where_the_locale_is_and_has_no_colour_in_a_pipe(own):
    plain = own.run(LC_ALL="C").stdout
    assert "\033" not in plain and "  ok machine " in plain
    marks = "".join(line[2:4] for line in plain.splitlines())
    assert marks.isascii()
    assert "  ✓ machine " in own.run(LC_ALL="C.UTF-8").stdout


def test_text_is_coloured_on_a_terminal_unless_the_user_minds(own):
    def on_terminal(**env):
        master, slave = pty.openpty()
        child = subprocess.Popen(own.argv(), stdout=slave, env={**own.env, "TERM": "xterm", **env}, cwd="/")
        os.close(slave)
        out = b""
        while True:
            try:
                chunk = os.read(master, 65536)
            except OSError: # EIO: the other side is closed
                break
            if not chunk:
                break
            out += chunk
        os.close(master)
        child.wait(timeout=60)
        return out.decode()

    assert "\033[32m✓\033[0m" in on_terminal()
    assert "\033" not in on_terminal(NO_COLOR="1")
    assert "\033" not in on_terminal(TERM="dumb")


# ---- the exit code ----

def test_it_is_zero_when_medium_works_even_without_something(own):
    own.agent_says(low=completed(), medium=completed("apparmor: not enabled"), high=refused("no", "try"))
    report = own.report()
    assert report["ok"] is True
    assert [report["levels"][level]["verdict"] for level in LEVELS] == ["works", "works_without", "refused"]
    assert report["levels"]["medium"]["missing"] == ["apparmor: not enabled"]
    assert "apparmor" in report["levels"]["medium"]["summary"]


@pytest.mark.parametrize("answer", [
    refused("step MOUNTS: no", "mount it"),
    {**completed(), "reason": "timeout"},
    {**completed(), "stdout": "something else\n"},
    {"reason": "completed"},
    ["completed"],
    "no JSON at all",
    '{"reason": "completed"',
    "",
])
def test_it_is_one_when_medium_does_not(own, answer):
    own.agent_says(low=completed(), medium=answer, high=completed())
    report = own.report()
    assert report["ok"] is False
    assert report["levels"]["medium"]["verdict"] == "refused" and report["levels"]["medium"]["status"] == "fail"
    assert report["levels"]["medium"]["remedy"]


def test_it_is_one_when_sandbox_agent_is_absent(own):
    os.unlink(own.agent)
    report = own.report()
    assert report["ok"] is False and "sandbox-agent" in report["levels"]["medium"]["summary"]
    assert report["levels"]["medium"]["remedy"]


def test_a_refusal_is_told_with_its_step_and_remedy(own):
    own.agent_says(low=completed(), medium=refused("mount /x: no", "do this", step="MOUNTS"), high=completed())
    level = own.report()["levels"]["medium"]
    assert level["summary"] == "refused: MOUNTS: mount /x: no" and level["remedy"] == "do this"
    assert level["error"]["code"] == "sandbox_error"


def test_a_refusal_that_sends_people_to_doctor_gets_the_remedy_of_the_feature(own):
    message = "the profile requires apparmor: it is not there"
    own.agent_says(low=completed(), medium=refused(message, "`sandbox-agent doctor` names the fix"), high=completed())
    report = own.report()
    if report["filters"]["apparmor"]["status"] == "ok":
        skip("AppArmor and our profiles are in force here")
    assert report["levels"]["medium"]["remedy"] == report["filters"]["apparmor"]["remedy"]


# ---- agreement with the machine ----

def test_host_is_this_host(doctor):
    host = doctor.report()["host"]
    assert host["machine"]["kernel"] == platform.release()
    assert host["machine"]["architecture"] == platform.machine()
    assert host["machine"]["distribution"] == platform.freedesktop_os_release()["PRETTY_NAME"]
    assert host["environment"]["systemd"] == os.path.isdir("/run/systemd/system")
    assert host["caller"]["uid"] == doctor.uid and host["caller"]["root"] == (doctor.uid == 0)
    assert host["caller"]["no_new_privs"] == (status("NoNewPrivs") == "1")
    if doctor.uid == os.geteuid():
        held = int(status("CapEff"), 16)
        for bit, name in ((7, "setuid"), (21, "sys_admin"), (24, "sys_resource")):
            assert (name in host["caller"]["capabilities"]) == bool(held >> bit & 1)


def test_rlimits_are_ours_and_low_ones_are_told(own):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    assert own.report()["host"]["rlimits"]["nofile"] == (None if hard == resource.RLIM_INFINITY else hard)
    low = own.report(prefix=["prlimit", "--nofile=200:200"])["host"]["rlimits"]
    assert low["nofile"] == 200 and low["status"] == "warn" and "ulimit -Hn 1024" in low["remedy"]


def test_sysctls_are_the_kernels(own):
    for name, value in own.report()["host"]["hardening"].items():
        if "." not in name:
            continue
        path = "/proc/sys/" + name.replace(".", "/")
        assert value == (int(read(path)) if os.path.exists(path) else None), name


def test_namespaces_are_what_unshare_finds(doctor):
    namespaces = doctor.report()["namespaces"]
    assert namespaces["user"]["works"] == works(doctor, "unshare", "-U", "true")
    if not namespaces["user"]["works"]:
        return
    for name in ("pid", "mount", "net", "ipc", "uts", "cgroup"):
        assert namespaces["others"][name] == works(doctor, "unshare", "-Ur", "--fork", "--" + name, "true"), name
    assert namespaces["proc"]["works"] == works(doctor, "unshare", "-Ur", "--pid", "--fork", "--mount-proc", "true")
    assert namespaces["private_root"]["works"] is True


def test_cgroup_version_is_what_is_mounted(doctor):
    cgroup = doctor.report()["resources"]["cgroup"]
    v2 = [m[1] for m in mounts() if m[2] == "cgroup2"]
    v1 = [m for m in mounts() if m[2] == "cgroup" and {"memory", "cpu", "pids"} & set(m[3].split(","))]
    assert cgroup["version"] == ("hybrid" if v1 and v2 else "v1" if v1 else "v2" if v2 else "none")
    assert cgroup["used"] == ("v2" if "/sys/fs/cgroup" in v2 else "v1" if v1 else None)
    lines = read("/proc/self/cgroup").splitlines()
    own_group = {names: path for _, names, path in (line.split(":", 2) for line in lines)}
    if cgroup["used"] == "v2":
        assert cgroup["own"] == own_group[""]
        there = set(read("/sys/fs/cgroup/cgroup.controllers").split())
        assert set(cgroup["controllers"]) == there & {"memory", "cpu", "pids"}
    elif cgroup["used"] == "v1":
        assert cgroup["own"] == own_group["memory"]


def test_cgroup_limits_are_really_possible_where_it_says_so(root):
    report = root.report()["resources"]
    if not report["limits"]["tried"]:
        skip("no group to make one in: " + report["limits"]["summary"])
    if report["cgroup"]["used"] == "v2":
        places = {report["cgroup"]["place"]: {"memory": "memory.max", "cpu": "cpu.max", "pids": "pids.max"}}
    else:
        own_group = {line.split(":")[1]: line.split(":")[2] for line in read("/proc/self/cgroup").splitlines()}
        files = {"memory": "memory.limit_in_bytes", "cpu": "cpu.cfs_quota_us", "pids": "pids.max"}
        places = {"/sys/fs/cgroup/%s%s" % (c, own_group[c].rstrip("/")): {c: file} for c, file in files.items()}
    for place, files in places.items():
        group = os.path.join(place, "test-doctor-%d" % os.getpid())
        os.mkdir(group)
        try:
            for controller, file in files.items():
                assert report["limits"][controller] == os.path.exists(os.path.join(group, file))
        finally:
            os.rmdir(group)


def test_an_ordinary_user_without_delegation_is_told_so(root):
    root.uid = USER
    cgroup = root.report()["resources"]["cgroup"]
    if cgroup["delegated"]:
        skip("uid %d may make groups here" % USER)
    assert cgroup["status"] == "warn" and "supervisor" in cgroup["summary"] and cgroup["remedy"]


def test_landlock_abi_is_the_kernels(doctor):
    libc = ctypes.CDLL(None, use_errno=True)
    abi = max(libc.syscall(444, None, ctypes.c_size_t(0), ctypes.c_uint32(1)), 0)
    landlock = doctor.report()["filters"]["landlock"]
    assert landlock["abi"] == abi
    assert landlock["scope"] == (abi >= 6) and landlock["network"] == (abi >= 4)
    assert landlock["status"] == ("ok" if abi else "fail")


def test_seccomp_is_the_kernels(doctor):
    seccomp = doctor.report()["filters"]["seccomp"]
    actions = read("/proc/sys/kernel/seccomp/actions_avail").split()
    assert seccomp["available"] == bool(actions)
    for name in ("kill_process", "errno", "user_notif", "log"):
        assert seccomp[name] == (name in actions), name
    assert seccomp["filters_over_us"] == int(status("Seccomp_filters"))


def test_apparmor_is_the_kernels(doctor):
    switch = "/sys/module/apparmor/parameters/enabled"
    enabled = os.path.exists(switch) and read(switch).strip() == "Y"
    apparmor = doctor.report()["filters"]["apparmor"]
    assert apparmor["enabled"] == enabled
    assert enabled or (apparmor["profiles_loaded"] == [] and apparmor["remedy"])


def driver_places():
    """Where plan/lang.c looks: doctor may not look elsewhere."""
    table = read(os.path.join(REPO, "src/plan/lang.c"))
    rows = re.findall(r"^    \[LANG_(\w+)\] = \{.*?\.programs = \{(.*?)\}", table, re.S | re.M)
    return {name.lower(): re.findall(r'"(.*?)"', places) for name, places in rows}


def test_interpreters_are_those_of_usr_and_not_of_the_path(doctor):
    doctor.write("shims/python3", "#!/bin/sh\necho Python 9.9.9\n", 0o755)
    languages = doctor.report(PATH=doctor.path("shims") + ":/usr/bin:/bin")["languages"]
    for language, places in driver_places().items():
        expected = next((p for p in places if os.access(p, os.X_OK) and os.path.realpath(p).startswith("/usr/")), None)
        assert languages[language]["path"] == expected and languages[language]["found"] == bool(expected)
    python = subprocess.run(["/usr/bin/python3", "--version"], capture_output=True, text=True)
    if python.returncode == 0:
        assert "Python " + languages["python"]["version"] == python.stdout.strip()


def test_interpreters_are_found_wherever_the_drivers_look(own):
    everywhere = driver_places()
    assert set(everywhere) == {"python", "node", "bash", "go", "rust"}
    for i in range(max(map(len, everywhere.values()))):
        root = "root%d" % i
        for language, places in everywhere.items():
            if i < len(places):
                own.write(root + places[i].replace("/bin/", "/usr/bin/", places[i].startswith("/bin/")),
                          "#!/bin/sh\necho %s 1.2.%d\n" % (language, i), 0o755)
        if not os.path.exists(own.path(root, "bin")):
            os.symlink("usr/bin", own.path(root, "bin"))
        languages = own.report("--root", own.path(root))["languages"]
        for language, places in everywhere.items():
            assert languages[language]["found"] == (i < len(places)), (language, i)


def test_numpy_and_pandas_are_those_of_the_system(own):
    if not os.path.exists("/usr/bin/python3"):
        skip("no python3")
    packages = own.report()["languages"]["packages"]
    for name in ("numpy", "pandas"):
        script = "import importlib.util as u; raise SystemExit(u.find_spec(%r) is None)" % name
        there = subprocess.run(["/usr/bin/python3", "-I", "-c", script]).returncode == 0
        assert bool(packages[name]) == there, name
        assert there or "python3-" + name in packages["remedy"]


def test_a_scanner_without_grammars_is_told(own):
    assert own.report()["languages"]["scanner"]["status"] == "ok"
    own.scanner_says("sandbox-scan 1.0\npython: grammar and patterns\ngo: patterns only\nrust: patterns only\n")
    scanner = own.report()["languages"]["scanner"]
    assert scanner["status"] == "warn" and scanner["grammars"] == ["python"] and "npm ci" in scanner["remedy"]
    assert "go, rust" in scanner["summary"] and "python" not in scanner["summary"]
    os.remove(own.path("libexec", "sandbox-agent", "sandbox-scan"))
    scanner = own.report()["languages"]["scanner"]
    assert scanner["status"] == "warn" and scanner["grammars"] == []
    real = subprocess.run([POLICY, "doctor", "--json"], capture_output=True, text=True, timeout=150, env=own.env)
    scan = subprocess.run([os.path.join(os.path.dirname(POLICY), "sandbox-scan"), "--version"], capture_output=True,
                          text=True, check=True).stdout
    grammars = json.loads(real.stdout)["languages"]["scanner"]["grammars"]
    assert grammars == [line.split(":")[0] for line in scan.splitlines() if line.endswith(": grammar and patterns")]


def test_levels_are_what_a_run_says():
    """The real sandbox-agent, asked directly and asked by doctor."""
    if not os.path.exists(AGENT):
        skip("%s is not built" % AGENT)
    with tempfile.TemporaryDirectory() as home:
        env = {"PATH": "/usr/bin:/bin", "HOME": home, "XDG_STATE_HOME": home, "XDG_CACHE_HOME": home,
               "XDG_CONFIG_HOME": home}
        os.mkdir(os.path.join(home, "sandbox-agent"))
        with open(os.path.join(home, "sandbox-agent/config.yaml"), "w") as f:
            f.write("sandbox: {paths: {log_dir: %s/log}}\n" % home)
        done = subprocess.run([AGENT, "doctor", "--json"], capture_output=True, text=True, timeout=150, env=env)
        report = json.loads(done.stdout)
        assert done.returncode == (0 if report["levels"]["medium"]["verdict"] != "refused" else 1)
        for level in LEVELS:
            argv = [AGENT, "run", "--json", "--risk-level", level, "--language", report["levels"][level]["language"],
                    "--code", "-"]
            run = subprocess.run(argv, input="print('well')\n" if "python" in argv else "echo well\n", env=env,
                                 capture_output=True, text=True, timeout=60)
            result = json.loads(run.stdout)
            assert (report["levels"][level]["verdict"] != "refused") == (result["reason"] == "completed"), level
            if result["reason"] == "completed":
                assert report["levels"][level]["missing"] == result["isolation"]["missing"]


# ---- nothing is left, nothing hangs ----

def everything(doctor):
    """What doctor could leave: files in its places, mounts where it tries them; and orphans()."""
    files = {os.path.join(top, f) for top, dirs, names in os.walk(doctor.dir) for f in dirs + names}
    own_mounts = sorted(tuple(m) for m in mounts() if m[1] in ("/", "/proc", "/usr") or m[1].startswith(doctor.dir))
    return files, own_mounts


def orphans():
    """Groups of dead doctors. Those of other tests come and go at the same time."""
    groups = {d for _, dirs, _ in os.walk("/sys/fs/cgroup") for d in dirs if d.startswith("sandbox-agent-doctor.")}
    return {d for d in groups if not os.path.exists("/proc/" + d.rpartition(".")[2])}


def nothing_left(doctor, before, orphans_before):
    """It is what it was, soon."""
    assert wait_until(lambda: everything(doctor) == before, 60), (before, everything(doctor))
    assert wait_until(lambda: not orphans() - orphans_before, 60), orphans() - orphans_before
    assert wait_until(lambda: children_of(doctor.dir) == [], 60), children_of(doctor.dir)


def children_of(program):
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if program in read("/proc/%s/cmdline" % pid) and status_of(pid) != "Z":
                found.append(int(pid))
        except OSError:
            pass # it ended meanwhile
    return found


def status_of(pid):
    return re.search(r"^State:\s*(\S)", read("/proc/%s/status" % pid), re.M).group(1)


def wait_until(condition, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return condition()


def test_real_runs_leave_nothing_behind(own):
    if not os.path.exists(AGENT):
        skip("%s is not built" % AGENT)
    own.write("home/.config/sandbox-agent/config.yaml",
              "sandbox: {paths: {log_dir: %s, state_dir: %s}}\n" % (own.path("log"), own.path("state")))
    before = everything(own), orphans()
    done = subprocess.run([AGENT, "doctor"], capture_output=True, text=True, timeout=150, env=own.env, cwd="/")
    assert "Levels\n" in done.stdout and done.stderr == ""
    nothing_left(own, *before) # also no log directory


def test_nothing_is_left_behind(doctor):
    doctor.agent_is('cat >/dev/null; mkdir -p $XDG_STATE_HOME/a $XDG_CACHE_HOME/b\n'
                    'for a in "$@"; do case $a in */config.yaml) echo log >${a%config.yaml}log/run.log;; esac; done\n'
                    "echo '{}'\n")
    before = everything(doctor), orphans()
    for _ in range(3):
        doctor.run("--json")
    nothing_left(doctor, *before)


def test_the_trial_runs_get_a_configuration_that_keeps_their_log_to_itself(own):
    own.agent_is("cat >/dev/null; cat \"$4\" >>%s; echo \"$XDG_STATE_HOME $XDG_CACHE_HOME\" >>%s; echo '{}'\n"
                 % (own.path("home", "config"), own.path("home", "places")))
    own.run("--json")
    for key in ("log_dir", "state_dir"):  # else a state_dir of the system's configuration would get a key and a head
        assert read(own.path("home", "config")).count('%s: "%s/sandbox-agent-doctor.' % (key, own.path("tmp"))) == 3
    for place in read(own.path("home", "places")).split():
        assert place.startswith(own.path("tmp", "sandbox-agent-doctor."))


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_when_it_is_ended_during_a_run(own, how):
    own.agent_is("exec sleep 600\n")
    before = everything(own), orphans()
    child = subprocess.Popen(own.argv("--json"), stdout=subprocess.DEVNULL, env=own.env, cwd="/")
    assert wait_until(lambda: os.listdir(own.path("tmp")), 60)
    time.sleep(0.2)
    child.send_signal(how)
    assert child.wait(timeout=60) == (-how if how == signal.SIGKILL else 128 + how)
    nothing_left(own, *before)


def test_nothing_is_left_when_it_is_ended_at_random_moments(own):
    own.agent_says(**{level: completed() for level in LEVELS})
    before = everything(own), orphans()
    for i in range(20):
        child = subprocess.Popen(own.argv("--json"), stdout=subprocess.DEVNULL, env=own.env, cwd="/")
        time.sleep(0.02 * i)
        child.kill()
        child.wait()
    nothing_left(own, *before)


def test_an_interpreter_that_hangs_costs_two_seconds_and_no_more(own):
    own.write("root/usr/bin/node", "#!/bin/sh\nexec sleep 60\n", 0o755)
    start = time.monotonic()
    node = own.report("--root", own.path("root"))["languages"]["node"]
    assert time.monotonic() - start < 30
    assert node["found"] is True and node["version"] is None and node["status"] == "warn"


def test_a_run_that_talks_without_end_does_not_fill_memory(own):
    own.agent_is("yes | head -c 300000000\n")
    with open(own.path("tmp", "out"), "w") as out:
        child = subprocess.Popen(own.argv("--json"), stdout=out, env=own.env, cwd="/")
        peak = 0
        while child.poll() is None: # not ru_maxrss: it keeps, across exec(), the peak of the process that forked
            peaks = re.findall(r"^VmHWM:\s+(\d+) kB$", read("/proc/%d/status" % child.pid), re.M)
            peak = max([peak, *map(int, peaks)])
            time.sleep(0.01)
    assert child.returncode == 1 and json.loads(read(own.path("tmp", "out")))["ok"] is False
    assert 0 < peak < 150 * 1024 # KiB


def test_a_closed_output_does_not_end_in_a_hang(own):
    child = subprocess.run("%s | true" % " ".join(own.argv("--json")), shell=True, env=own.env, timeout=60)
    assert child.returncode == 0


# ---- other machines, by --root ----

def test_missing_interpreters_are_named_with_their_package(own):
    own.write("root/usr/bin/python3", "#!/bin/sh\necho Python 3.99.1\n", 0o755)
    languages = own.report("--root", own.path("root"))["languages"]
    assert languages["python"]["version"] == "3.99.1" and languages["python"]["status"] == "ok"
    packages = {"node": "nodejs", "bash": "bash", "go": "golang-go", "rust": "rustc", "linker": "gcc"}
    for language, package in packages.items():
        assert languages[language]["found"] is False and languages[language]["version"] is None
        assert languages[language]["remedy"] == "apt-get install " + package
    assert languages["packages"]["remedy"] == "apt-get install python3-numpy python3-pandas"


def test_an_interpreter_outside_usr_is_found_but_not_mounted(own):
    real = own.write("root/home/somebody/node", "#!/bin/sh\necho v20.1.2\n", 0o755)
    os.makedirs(own.path("root/usr/local/bin"))
    os.symlink(real, own.path("root/usr/local/bin/node"))
    node = own.report("--root", own.path("root"))["languages"]["node"]
    assert node["version"] == "20.1.2" and node["status"] == "warn" and real in node["detail"]


def test_what_interpreters_say_is_no_way_into_the_report(own):
    own.write("root/usr/bin/node", "#!/bin/sh\nprintf 'v1.2.3\\033[31m\\377\\000'\n", 0o755)
    own.write("root/etc/os-release", 'PRETTY_NAME="Evil \033[31m OS"\nID=evil\n')
    done = own.run("--root", own.path("root"))
    assert "\033" not in done.stdout and "Evil ?[31m OS" in done.stdout
    assert own.report("--root", own.path("root"))["languages"]["node"]["version"] == "1.2.3"


def test_a_broken_configuration_is_named_with_its_line(own):
    path = own.write("home/.config/sandbox-agent/config.yaml", "sandbox:\n  no_such_key: 1\n")
    configuration = own.report()["files"]["configuration"]
    assert configuration["status"] == "fail" and path + ":2" in configuration["error"]


def test_the_configured_log_directory_is_the_one_looked_at(own):
    log = own.path("tmp", "logs")
    path = own.write("home/.config/sandbox-agent/config.yaml", "sandbox:\n  paths:\n    log_dir: %s\n" % log)
    files = own.report()["files"]
    assert files["configuration"]["files"] == [path] and files["configuration"]["status"] == "ok"
    assert files["log"]["path"] == log and files["log"]["exists"] is False and files["log"]["writable"] is True


def test_the_configured_state_directory_is_the_one_looked_at(own):
    own.write("home/.config/sandbox-agent/config.yaml", "sandbox: {paths: {state_dir: %s}}\n" % own.path("tmp", "kept"))
    assert own.report()["files"]["state"]["path"] == own.path("tmp", "kept")


def test_roots_state_is_where_its_environment_says(root):
    root.env["XDG_STATE_HOME"] = root.path("tmp", "xdg")
    assert root.report()["files"]["state"]["path"] == root.path("tmp", "xdg") + "/sandbox-agent"


def test_a_configuration_that_is_named_is_read_on_top(own):
    first = own.write("home/.config/sandbox-agent/config.yaml", "sandbox:\n  paths:\n    log_dir: /nowhere\n")
    second = own.write("named.yaml", "sandbox:\n  paths:\n    log_dir: %s\n" % own.path("tmp"))
    files = own.report("--config", second)["files"]
    assert files["configuration"]["files"] == [first, second] and files["log"]["path"] == own.path("tmp")
    assert "no such configuration file" in own.report("--config", own.path("absent"))["files"]["configuration"]["error"]


def test_a_directory_that_cannot_be_written_is_told_with_the_command(root):
    root.uid = USER
    os.chmod(root.path("home"), 0o755)
    state = root.report()["files"]["state"]
    assert state["writable"] is False and state["status"] == "warn"
    assert state["remedy"] == "as root: install -d -o %d -g %d %s" % (USER, USER, state["path"])


def test_cgroup_v2_without_delegation_names_systemd(root):
    """The files of an Ubuntu login session, as an ordinary user sees them."""
    root.uid = USER
    manager = "root/sys/fs/cgroup/user.slice/user-%d.slice/user@%d.service/" % (USER, USER)
    root.write("root/proc/self/mountinfo", "30 24 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n")
    root.write("root/proc/self/cgroup", "0::/user.slice/user-%d.slice/session-1.scope\n" % USER)
    root.write("root/sys/fs/cgroup/cgroup.controllers", "cpuset cpu io memory pids\n")
    root.write(manager + "cgroup.controllers", "memory pids\n") # systemd's default: no cpu
    os.makedirs(root.path("root/run/systemd/system"))
    cgroup = root.report("--root", root.path("root"))["resources"]["cgroup"]
    assert cgroup["version"] == cgroup["used"] == "v2" and cgroup["delegated"] is False
    assert cgroup["own"] == "/user.slice/user-%d.slice/session-1.scope" % USER
    assert "Delegate=cpu io memory pids" in cgroup["remedy"]
    root.write(manager + "cgroup.controllers", "cpu memory pids\n")
    cgroup = root.report("--root", root.path("root"))["resources"]["cgroup"]
    assert cgroup["remedy"].startswith("systemd-run --user --scope -p Delegate=yes")


@pytest.mark.parametrize("uid", [1, 61999])
def test_cgroup_v1_without_a_place_names_the_user_and_not_who_types_the_command(root, uid):
    """As root $USER would be root."""
    root.uid = uid
    root.write("root/proc/self/mountinfo", "".join("3%d 24 0:26 / /sys/fs/cgroup/%s rw - cgroup cgroup rw,%s\n"
                                                   % (i, c, c)
                                                   for i, c in enumerate(("memory", "cpu", "pids"))))
    root.write("root/proc/self/cgroup", "3:memory:/\n2:cpu:/\n1:pids:/\n")
    for controller in ("memory", "cpu", "pids"):
        root.write("root/sys/fs/cgroup/%s/tasks" % controller, "")
    remedy = root.report("--root", root.path("root"))["resources"]["cgroup"]["remedy"]
    assert "$USER" not in remedy and "root -t" not in remedy, remedy
    assert ("cgcreate -a daemon -t daemon " if uid == 1 else "chown -R 61999 ") in remedy, remedy


def test_cgroup_v2_delegated_is_found_above_our_own_group(root):
    root.uid = USER
    root.write("root/proc/self/mountinfo", "30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n")
    root.write("root/proc/self/cgroup", "0::/mine/own\n")
    for group in ("mine/", "mine/own/"):
        root.write("root/sys/fs/cgroup/%scgroup.procs" % group, "1\n")
        root.write("root/sys/fs/cgroup/%scgroup.controllers" % group, "cpu memory pids\n")
        root.write("root/sys/fs/cgroup/%scgroup.subtree_control" % group, "\n")
        os.chown(root.path("root/sys/fs/cgroup", group), USER, USER)
    root.write("root/sys/fs/cgroup/mine/cgroup.subtree_control", "cpu memory pids\n")
    before = everything(root)
    cgroup = root.report("--root", root.path("root"))["resources"]["cgroup"]
    assert cgroup["delegated"] is True and cgroup["place"] == "/sys/fs/cgroup/mine"
    assert everything(root) == before


# ---- the container engine of the docker backend ----

INFO = {"Runtimes": {"runc": {"path": "runc"}, "runsc": {"path": "/usr/bin/runsc"}}, "CgroupVersion": "2",
        "MemoryLimit": True, "SwapLimit": True, "CpuCfsQuota": True,
        "PidsLimit": True, "SecurityOptions": ["name=seccomp,profile=builtin", "name=apparmor", "name=userns"]}
VERSION = {"Version": "20.10.24", "ApiVersion": "1.41", "MinAPIVersion": "1.12"}


@contextlib.contextmanager
def engine(doctor, answers, docker="", backend="native", container=""):
    """Somebody at docker.daemon.socket who answers so: by path an object, bytes as they are, or None: never."""
    path = doctor.path("tmp", "engine.sock")
    doctor.write("home/.config/sandbox-agent/config.yaml",
                 "sandbox: {backend: %s}\ndocker:\n  daemon: {socket: %s%s}\n  container: {%s}\n"
                 % (backend, path, docker, container))
    held = []

    class Handler(socketserver.StreamRequestHandler):
        def handle(self):
            word = self.rfile.readline().split()[1].decode()
            while self.rfile.readline().strip():
                pass
            answer = answers.get(word)
            if answer is None:
                held.append(self.request.dup())
            else:
                body = json.dumps(answer).encode()
                self.wfile.write(answer if isinstance(answer, bytes)
                                 else b"HTTP/1.0 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)

    with socketserver.ThreadingUnixStreamServer(path, Handler) as server:
        os.chmod(path, 0o666)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield path
        finally:
            server.shutdown()
            thread.join()
            for h in held:
                h.close()
            os.unlink(path)


def test_an_engine_that_nobody_uses_is_only_told(own):
    with engine(own, {"/version": VERSION, "/info": {**INFO, "SecurityOptions": []}}) as path:
        found = own.report()
    containers = found["containers"]
    assert (containers["engine"]["reachable"] is True and containers["engine"]["used"] is False
            and containers["engine"]["socket"] == path)
    assert (containers["engine"]["name"], containers["engine"]["api_version"]) == ("Docker 20.10.24", "1.41")
    assert containers["engine"]["runtimes"] == ["runc", "runsc"] and containers["isolation"]["cgroup_version"] == "2"
    for check in containers.values():
        assert check["status"] == "info" and check["remedy"] is None and check["summary"].startswith("not used"), check


def test_an_engine_that_is_used_has_what_the_levels_require(own):
    with engine(own, {"/version": VERSION, "/info": INFO}, ", runtime: runsc", "docker",
                "accept_missing: [user_ns, network]"):
        containers = own.report()["containers"]
    assert containers["engine"]["status"] == containers["isolation"]["status"] == "ok", containers
    assert containers["isolation"]["unmet"] == [] and containers["isolation"]["userns_remap"] is True


def test_a_level_with_the_engines_bridge_is_named_with_what_accepts_it(own):
    with engine(own, {"/version": VERSION, "/info": INFO}, "", "docker"):
        isolation = own.report()["containers"]["isolation"]
    assert isolation["unmet"] == ["low: network"] and isolation["status"] == "warn", isolation
    assert ("accept_missing" in isolation["remedy"]
            and "docker.container.network: none" in isolation["remedy"]), isolation
    with engine(own, {"/version": VERSION, "/info": INFO}, "", "docker", "network: none"):
        assert own.report()["containers"]["isolation"]["unmet"] == []


def test_podman_is_known_and_that_it_ignores_runtimes(own):
    version = {"Version": "4.3.1", "ApiVersion": "1.41", "Components": [{"Name": "Podman Engine", "Version": "4.3.1"}]}
    with engine(own, {"/version": version, "/info": INFO}, ", runtime: runsc", "docker"):
        found = own.report()["containers"]["engine"]
    assert found["name"] == "Podman 4.3.1" and found["status"] == "warn" and "runsc" in found["remedy"], found


def test_what_a_used_engine_lacks_is_named_by_level_with_the_way_out(own):
    with engine(own, {"/version": VERSION, "/info": {**INFO, "PidsLimit": False, "SecurityOptions": ["name=apparmor"]}},
                ", runtime: kata", "docker"):
        containers = own.report()["containers"]
    assert (containers["engine"]["status"] == "fail" and "kata" in containers["engine"]["detail"]
            and containers["engine"]["remedy"])
    isolation = containers["isolation"]
    assert {"medium: seccomp", "medium: pids",
            "high: seccomp"} <= set(isolation["unmet"]) and isolation["status"] == "fail"
    assert "docker.container.accept_missing" in isolation["remedy"]
    assert not [u for u in isolation["unmet"] if u.endswith(": user_ns")], "accepted as shipped"


def test_no_engine_where_one_is_used_is_a_failure_with_a_remedy(own):
    own.write("home/.config/sandbox-agent/config.yaml",
              "sandbox: {backend: docker}\ndocker: {daemon: {socket: /nonexistent/engine.sock}}\n")
    found = own.report()["containers"]["engine"]
    assert (found["status"] == "fail" and "/nonexistent/engine.sock" in found["summary"]
            and "docker.daemon.socket" in found["remedy"])
    own.write("home/.config/sandbox-agent/config.yaml", "docker: {daemon: {socket: /%s}}\n" % ("x" * 200))
    assert own.report()["containers"]["engine"]["status"] == "info"


@pytest.mark.parametrize("answer", [None, b"", b"HTTP/1.0 500 no\r\n\r\n{}", b"SSH-2.0-OpenSSH\r\n",
                                    b"HTTP/1.0 200 OK\r\n\r\n[1]",
                                    b"HTTP/1.0 200 OK\r\n\r\n{\"ApiVersion\": \"\x1b[31m\"}",
                                    b"HTTP/1.0 200 OK\r\n\r\n" + b"x" * 400000,
                                    {"ApiVersion": "1.24", "Version": "1.12"}])
def test_whoever_else_listens_there_is_no_engine_and_costs_little_time(own, answer):
    with engine(own, {"/version": answer, "/info": INFO}, backend="docker"):
        begin = time.monotonic()
        found = own.report()["containers"]["engine"]
        assert time.monotonic() - begin < 40
    assert found["status"] == "fail" and found["remedy"] and "\033" not in json.dumps(found), found


# ---- machines that refuse, really made ----

def test_no_user_namespaces_left_is_a_failure_with_the_sysctl(own):
    """Inside a user namespace of one's own the limit may be set to nothing."""
    if not works(own, "unshare", "-Ur", "true"):
        skip("no user namespaces to begin with")
    script = 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"'
    user = own.report(prefix=["unshare", "-Ur", "sh", "-c", script, "sh"])["namespaces"]["user"]
    assert user["works"] is False and user["status"] == "fail" and user["errno"] == "ENOSPC"
    assert user["max_user_namespaces"] == 0 and user["remedy"].startswith("sysctl -w user.max_user_namespaces=")


def in_chroot(root):
    """A chrooted process may not make user namespaces: EPERM, as from AppArmor and Debian's switch."""
    top = root.path("top")
    os.mkdir(top)
    script = 'mount --rbind / %s && exec /usr/sbin/chroot --userspec=%d:%d --groups= %s "$@"' % (top, USER, USER, top)
    return ["unshare", "--mount", "sh", "-c", script, "sh"]


def test_ubuntus_restriction_is_named_with_our_profile_before_the_switch(root):
    root.write("root/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1\n")
    prefix = in_chroot(root)
    user = root.report("--root", root.path("root"), prefix=prefix)["namespaces"]["user"]
    assert user["works"] is False and user["errno"] == "EPERM"
    assert user["apparmor_restrict_unprivileged_userns"] == 1
    installed = os.path.exists(os.path.join(REPO, "deploy/apparmor/sandbox-agent"))
    assert user["remedy"].startswith("apparmor_parser -r " if installed else "sysctl -w kernel.apparmor_restrict")
    profile = root.write("root/etc/apparmor.d/sandbox-agent", "profile sandbox-agent { userns, }\n")
    user = root.report("--root", root.path("root"), prefix=prefix)["namespaces"]["user"]
    assert user["remedy"] == "apparmor_parser -r " + profile
    assert "apparmor_restrict_unprivileged_userns=0" in user["detail"]


def test_selinux_without_our_types_names_the_remedy(root):
    """An enforcing kernel, which answers EINVAL to a label that its policy does not have: so does oom_score_adj to any
    word."""
    root.write("root/sys/fs/selinux/enforce", "1\n")
    root.write("root/proc/self/attr/current", "unconfined_u:unconfined_r:unconfined_t:s0\n")
    known = root.write("root/sys/fs/selinux/context", "")
    selinux = root.report("--root", root.path("root"))["filters"]["selinux"]
    assert (selinux["mode"], selinux["status"]) == ("enforcing", "info")
    with open(known) as asked:
        assert "sandbox_agent_confined_t:s0" in asked.read()
    os.unlink(known)
    os.symlink("/proc/self/oom_score_adj", known)
    selinux = root.report("--root", root.path("root"))["filters"]["selinux"]
    assert selinux["status"] == "warn" and "docs/installation.md" in selinux["remedy"]
    root.write("root/sys/fs/selinux/enforce", "0\n")
    assert root.report("--root", root.path("root"))["filters"]["selinux"]["status"] == "info"


def test_apparmor_without_our_profiles_names_the_command_that_loads_them(root):
    """The switches and the list of profiles of a kernel with AppArmor."""
    root.write("root/sys/module/apparmor/parameters/enabled", "Y\n")
    loaded = root.write("root/sys/kernel/security/apparmor/profiles", "docker-default (enforce)\n")
    for name in ("sandbox-agent-default", "sandbox-agent-confined"):
        root.write("root/etc/apparmor.d/" + name, "profile %s {}\n" % name)
    apparmor = root.report("--root", root.path("root"))["filters"]["apparmor"]
    assert apparmor["enabled"] is True and apparmor["status"] == "warn" and apparmor["profiles_loaded"] == []
    place = root.path("root/etc/apparmor.d/sandbox-agent-")
    assert apparmor["remedy"] == "apparmor_parser -r %sdefault %sconfined" % (place, place)
    with open(loaded, "a") as f:
        f.write("sandbox-agent-default (enforce)\nsandbox-agent-confined (complain)\n")
    apparmor = root.report("--root", root.path("root"))["filters"]["apparmor"]
    assert apparmor["status"] == "ok" and len(apparmor["profiles_loaded"]) == 2


def test_a_full_disk_is_told_and_leaves_nothing(root):
    mount = "mount -t tmpfs -o size=4k,nr_inodes=2,mode=1777 none %s && exec \"$@\"" % root.path("tmp")
    level = root.report(prefix=["unshare", "--mount", "sh", "-c", mount, "sh"])["levels"]["medium"]
    assert level["verdict"] == "refused" and "temporary directory" in level["summary"] and level["remedy"]
    assert os.listdir(root.path("tmp")) == []


def test_debians_switch_is_named(root):
    root.write("root/proc/sys/kernel/unprivileged_userns_clone", "0\n")
    user = root.report("--root", root.path("root"), prefix=in_chroot(root))["namespaces"]["user"]
    assert user["unprivileged_userns_clone"] == 0
    assert user["remedy"] == "sysctl -w kernel.unprivileged_userns_clone=1"


def test_a_masked_proc_is_recognised(root):
    """What Docker and Podman lay over /proc keeps a fresh one from being mounted in a user namespace."""
    script = 'mount --bind /dev/null /proc/kallsyms && exec "$@"'
    proc = root.report(prefix=["unshare", "--mount", "sh", "-c", script, "sh"])["namespaces"]["proc"]
    assert proc["works"] is False and proc["errno"] == "EPERM" and proc["masks"] == 1
    assert "/proc/kallsyms" in proc["detail"] and "systempaths=unconfined" in proc["remedy"]


# fork() whose child is always faster than its parent, as any child may be.
CHILD_FIRST = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
pid_t fork(void)
{
    pid_t (*real)(void) = (pid_t (*)(void))dlsym(RTLD_NEXT, "fork");
    pid_t pid = real();
    if (pid > 0)
        usleep(50000);
    return pid;
}
"""


def test_a_child_that_is_faster_than_its_parent_names_its_own_step(root):
    """The parent wrote «fork» over the step that its child had failed at, and the remedy was lost with it."""
    library = root.path("first.so")
    make_preload(library, CHILD_FIRST)
    script = 'mount --bind /dev/null /proc/kallsyms && export LD_PRELOAD=%s && exec "$@"' % library
    proc = root.report(prefix=["unshare", "--mount", "sh", "-c", script, "sh"])["namespaces"]["proc"]
    assert proc["failed_step"] == "mount proc" and "systempaths=unconfined" in proc["remedy"]


def test_a_filter_over_us_is_counted_and_blamed(root):
    """A seccomp filter that refuses user namespaces, as an enclosing container has one."""
    script = root.write("filter.py", FILTER)
    root.uid = USER
    report = root.report(prefix=["/usr/bin/python3", script])
    assert report["filters"]["seccomp"]["filters_over_us"] == int(status("Seccomp_filters")) + 1
    user = report["namespaces"]["user"]
    assert user["works"] is False and user["errno"] == "EPERM" and "seccomp=unconfined" in user["remedy"]
    assert report["namespaces"]["others"]["status"] == "fail"


# unshare(CLONE_NEWUSER) -> EPERM, everything else allowed; then the rest of argv.
FILTER = """
import ctypes, os, platform, struct, sys
unshare = {"x86_64": 272, "aarch64": 97}[platform.machine()]
program = b"".join(struct.pack("HBBI", *i) for i in (
    (0x20, 0, 0, 0), (0x15, 0, 3, unshare),
    (0x20, 0, 0, 16), (0x45, 0, 1, 0x10000000),
    (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7fff0000)))
libc = ctypes.CDLL(None, use_errno=True)
code = ctypes.create_string_buffer(program)
prog = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code)))
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, prog, 0, 0) == 0
os.execv(sys.argv[1], sys.argv[1:])
"""
