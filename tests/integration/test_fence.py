"""What the fence lets through because honest programs need it, what it refuses, and what is told of it: calls, volumes, devices, counts."""
import subprocess

import pytest
from helpers import LEVELS, need_module, skip

# every level as the shipped profile has it, but with programs to start and nothing that ends a run at the first try
OPEN = {"execution.shell_access": True, "filesystem.blocked_paths": [], "kill_switches": []}


def spawn_program(box):
    """posix_spawn(3) with POSIX_SPAWN_RESETIDS, as make does; then what asks for other ids."""
    source = box.file("spawn.c", r"""
#define _GNU_SOURCE
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    posix_spawnattr_t a;
    pid_t pid;
    int status = -1;
    if (argc > 1)
        return getuid() == geteuid() ? 7 : 1;
    posix_spawnattr_init(&a);
    posix_spawnattr_setflags(&a, POSIX_SPAWN_RESETIDS);
    char *args[] = { argv[0], "child", NULL };
    int e = posix_spawn(&pid, argv[0], NULL, &a, args, NULL);
    if (e == 0)
        waitpid(pid, &status, 0);
    printf("spawn %s status %d\n", e ? strerror(e) : "ok", status >> 8);
    printf("own %d %d %d\n", setuid(getuid()), setreuid(-1, getuid()), setresgid(-1, getgid(), -1));
    int other = setuid(getuid() + 1);
    printf("other %d %d\n", other, errno == EPERM);
    return 0;
}
""")
    place = box.directory("programs", 0o755)
    for cc, name in (("musl-gcc", "spawn-musl"), ("cc", "spawn-glibc")):
        subprocess.run([cc, "-static", "-o", place / name, source], check=True)
        (place / name).chmod(0o755)
    return place


@pytest.mark.parametrize("level", LEVELS)
def test_a_program_that_sets_its_own_ids_is_left_alone(box, level):
    place = spawn_program(box)
    profile = box.derive(level, execution__shell_access=True, filesystem__allowed_mounts=[str(place)])  # kill switches and watch as shipped
    for name in ("spawn-musl", "spawn-glibc"):
        r = box.command_json("/programs/" + name, profile=profile, options=["--volume", "%s:/programs:ro" % place])
        wanted = "spawn ok status 7\nown 0 0 0\n"
        if r["kill_switch"]:  # at high asking for another id ends the run, if it has not ended before
            assert level == "high" and r["stdout"] in ("", wanted, wanted + "other -1 1\n"), r
        else:
            assert r["stdout"] == wanted + "other -1 1\n", r
        assert [v["type"] for v in r["violations"]] == ["privilege_escalation_attempt"], r
        assert "setuid" in r["violations"][0]["detail"]


@pytest.mark.parametrize("level", LEVELS)
def test_make_starts_programs(box, level):
    if subprocess.run(["which", "make"], capture_output=True).returncode:
        skip("make is not installed")
    place = box.directory("project", 0o755)
    (place / "Makefile").write_text("all:\n\t@true\n\t@echo made\n\t@sh -c 'echo by a shell'\n")
    profile = box.derive(level, OPEN, filesystem__allowed_mounts=[str(place)])
    r = box.command_json("make", "-s", "-C", "/project", profile=profile, options=["--volume", "%s:/project:ro" % place])
    assert (r["reason"], r["stdout"], r["stderr"]) == ("completed", "made\nby a shell\n", ""), r
    assert not r["violations"], r


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("call, code", [
    ("chroot", "os.chroot('/tmp')"), ("mknod", "os.mknod('/tmp/disk', stat.S_IFBLK | 0o600, os.makedev(8, 0))"),
    ("mknod", "os.mknod('/tmp/mem', stat.S_IFCHR | 0o600, os.makedev(1, 1))")])
def test_chroot_and_device_nodes_are_told(box, level, call, code):
    profile = box.derive(level, {"kill_switches": [], "languages.python.restricted": False, "languages.python.allowed_modules": "all",
                                 "languages.python.blocked_modules": []})
    r = box.json("python", "import os, stat\nos.mkfifo('/tmp/fifo')\ntry:\n    %s\nexcept PermissionError:\n    print('refused')\n" % code, profile=profile)
    assert r["stdout"] == "refused\n", r
    assert [v["type"] for v in r["violations"]] == ["privilege_escalation_attempt"], r
    assert call in r["violations"][0]["detail"], r
