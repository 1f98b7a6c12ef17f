"""Does this machine offer what the sandbox is to be tested with? Run as root in the guest.

When one of these fails, the failures of the sandbox's own tests mean nothing.
"""
import os
import subprocess
import sys
import tempfile

from guest_report import (AS_TESTER, CGROUPS, PROBE, Skip, counters, expect, note, read, run_tests, seconds,
                          wait_until, write)

TEST_GROUP = os.path.join(CGROUPS, "vm-machine-test")


def command(*argv, **options):
    return subprocess.run(argv, capture_output=True, text=True, timeout=seconds(120), **options)


def probe(*arguments, as_tester=False):
    if not os.access(PROBE, os.X_OK):
        raise Skip("no static compiler on the host made the probe")
    argv = [PROBE, *arguments]
    return command(*([AS_TESTER, "--plain", *argv] if as_tester else argv))


class Group:
    """A cgroup below the root, with every process in it killed and gone at the end."""

    def __enter__(self):
        write(os.path.join(CGROUPS, "cgroup.subtree_control"), "+memory +cpu +pids")
        os.mkdir(TEST_GROUP)
        return self

    def __exit__(self, *_):
        self.set("cgroup.kill", "1")
        expect(wait_until(lambda: "populated 0" in self.get("cgroup.events"), 10), "cgroup.kill left processes")
        os.rmdir(TEST_GROUP)

    def path(self, name):
        return os.path.join(TEST_GROUP, name)

    def get(self, name):
        return read(self.path(name))

    def set(self, name, value):
        write(self.path(name), value)

    def start(self, code):
        """Python code that begins inside the group."""
        enter = "import os\nopen(%r, 'w').write(str(os.getpid()))\n" % self.path("cgroup.procs")
        return subprocess.Popen([sys.executable, "-c", enter + code], stderr=subprocess.DEVNULL)


def test_controllers():
    there = set(read(os.path.join(CGROUPS, "cgroup.controllers")).split())
    expect({"memory", "cpu", "pids", "io", "cpuset"} <= there, "only %s" % sorted(there))
    expect("cgroup2" in read("/proc/mounts").split(), "no cgroup2 mount")
    expect(not any(line.split()[2] == "cgroup" for line in read("/proc/mounts").splitlines()),
           "cgroup v1 is mounted too")


def test_memory_max():
    with Group() as group:
        group.set("memory.max", "32M")
        group.set("memory.swap.max", "0")
        hog = group.start("kept = []\nwhile True: kept.append(b'x' * (1 << 20))")
        expect(hog.wait(seconds(60)) == -9, "the hog ended with %s" % hog.returncode)
        expect(counters(group.path("memory.events"))["oom_kill"] >= 1, "memory.events counts no oom_kill")


def test_pids_max():
    with Group() as group:
        group.set("pids.max", "5")
        forker = group.start("import sys, time\ntry:\n  while os.fork(): pass\n  time.sleep(600)\n"
                             "except OSError as refused: sys.exit(40 + refused.errno)")
        expect(forker.wait(seconds(60)) == 51, "fork beyond pids.max ended with %s, not EAGAIN" % forker.returncode)
        expect(counters(group.path("pids.events"))["max"] >= 1, "pids.events counts nothing")


def test_cpu_max():
    with Group() as group:
        group.set("cpu.max", "20000 100000")
        spinner = group.start("while True: pass")
        throttled = wait_until(lambda: spinner.poll() is not None or
                               counters(group.path("cpu.stat"))["nr_throttled"] >= 5, 60)
        stat = counters(group.path("cpu.stat"))
        expect(spinner.poll() is None, "the spinner ended")
        expect(throttled, "never throttled: cpu.stat says %s" % stat)
        # 20 ms a period, of what periods there were; on a busy host the guest's clock may jump over some, never back
        expect(stat["usage_usec"] < (stat["nr_periods"] + 2) * 50000, "cpu.stat says %s" % stat)
        expect(os.path.exists(group.path("cpu.max.burst")), "no cpu.max.burst")


def test_freeze_and_kill():
    with Group() as group:
        started = [group.start("import time\ntime.sleep(600)") for _ in range(3)]
        wait_until(lambda: len(group.get("cgroup.procs").split()) == 3, 30)
        group.set("cgroup.freeze", "1")
        expect(wait_until(lambda: "frozen 1" in group.get("cgroup.events"), 10), "cgroup.freeze does not freeze")
        group.set("cgroup.kill", "1")
        expect([process.wait(seconds(10)) for process in started] == [-9] * 3, "cgroup.kill does not kill the frozen")


def test_clone_into_cgroup():
    with Group():
        ran = probe("into-cgroup", TEST_GROUP)
        expect(ran.returncode == 0, ran.stderr)
        expect(ran.stdout.strip() == "0::/vm-machine-test", "the child is in %s" % ran.stdout)


def test_landlock():
    ran = probe("landlock", as_tester=True)
    expect(ran.returncode == 0, ran.stderr)
    note("landlock ABI %s" % ran.stdout.strip())
    expect(int(ran.stdout) >= 2, "ABI %s" % ran.stdout)


def test_notify():
    ran = probe("notify", as_tester=True)
    expect(ran.returncode == 0, ran.stderr)
    expect("user_notif" in read("/proc/sys/kernel/seccomp/actions_avail"), "no user_notif action")


def test_namespaces_of_root():
    ran = probe("userns")
    expect(ran.returncode == 0, ran.stderr)


def test_namespaces_of_tester():
    ran = probe("userns", as_tester=True)
    expect(ran.returncode == 0, ran.stderr)


def test_pressure():
    expect("full avg10" in read("/proc/pressure/memory"), "no PSI")


def test_no_network():
    devices = set(os.listdir("/sys/class/net"))
    expect(devices == {"lo"}, "devices %s" % sorted(devices))


# What delegation gives: the scope's own process has to leave the scope's cgroup before controllers can be switched on
# for its children (cgroup v2 allows no processes in an inner cgroup), then limits are tester's to set.
DELEGATED = r"""
set -e
own=/sys/fs/cgroup$(cut -d: -f3- /proc/self/cgroup)
[ "$(id -un)" = tester ]
mkdir $own/supervisor $own/job
echo $$ >$own/supervisor/cgroup.procs
echo '+memory +cpu +pids' >$own/cgroup.subtree_control
echo 64M >$own/job/memory.max
echo '25000 100000' >$own/job/cpu.max
echo 9 >$own/job/pids.max
echo 1 >$own/job/memory.oom.group
cat $own/cgroup.controllers $own/job/memory.max $own/job/cpu.max $own/job/pids.max
if [ -x "$1" ]; then "$1" into-cgroup $own/job | grep -q '/job$'; fi
rmdir $own/job
"""


def test_delegation():
    ran = command(AS_TESTER, "bash", "-c", DELEGATED, "delegated", PROBE)
    expect(ran.returncode == 0, "status %d: %s" % (ran.returncode, ran.stderr))
    controllers, *limits = ran.stdout.splitlines()
    expect({"memory", "cpu", "pids"} <= set(controllers.split()), "delegated: %s" % controllers)
    expect(limits == ["67108864", "25000 100000", "9"], "limits read back as %s" % limits)
    note("delegated to tester: %s" % controllers)


def test_no_delegation_without_scope():
    ran = command(AS_TESTER, "--plain", "bash", "-c", "mkdir /sys/fs/cgroup$(cut -d: -f3- /proc/self/cgroup)/job")
    expect(ran.returncode != 0, "an ordinary user made a cgroup in root's")


APPARMOR = """
abi <abi/3.0>,
profile vm-machine-test {
  /** rmix,
  deny /etc/hostname r,
}
"""


def test_apparmor_confines():
    expect(read("/sys/module/apparmor/parameters/enabled") == "Y", "AppArmor is off")
    with tempfile.NamedTemporaryFile("w", suffix=".aa") as profile:
        profile.write(APPARMOR)
        profile.flush()
        loaded = command("apparmor_parser", "-r", "-K", profile.name)
        expect(loaded.returncode == 0, loaded.stderr)
        try:
            free = command("cat", "/etc/hostname")
            confined = command("aa-exec", "-p", "vm-machine-test", "cat", "/etc/hostname")
            other = command("aa-exec", "-p", "vm-machine-test", "cat", "/etc/passwd")
        finally:
            command("apparmor_parser", "-R", profile.name)
    expect(free.returncode == 0 and other.returncode == 0, "the profile stops too much: %s" % other.stderr)
    expect(confined.returncode != 0 and "denied" in confined.stderr.lower(), "not confined: %s" % confined)


if __name__ == "__main__":
    named = [(name[5:].replace("_", " "), test) for name, test in list(globals().items()) if name.startswith("test_")]
    sys.exit(min(run_tests("machine", named), 1))
