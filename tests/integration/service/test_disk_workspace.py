"""filesystem.workspace: disk: /workspace of a session in an image on the disk. As root, where mkfs.ext4 and loops
are; for others a line in isolation.missing."""
import os
import subprocess

import helpers
import load
import pytest
from service import Service, error_of

from test_session_files import Files, pieces

MISSING = "workspace: in memory, and not on the disk"


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    profiles = tmp_path_factory.mktemp("profiles")
    for path in (profiles, *profiles.parents[:3]):  # the service is another user; with -n there is a worker's, too
        path.chmod(0o755)
    for level in ("low", "medium", "high"):
        values = helpers.shipped(level)
        if level == "low":
            values["filesystem"]["workspace"] = "disk"
            values["resources"].update(memory="192m", storage="2g")
            values["execution"]["max_file_size"] = "2g"
        (profiles / ("%s-risk.yaml" % level)).write_text(helpers.to_yaml(values))
    config = helpers.merged(load.UNLIMITED, {"sandbox": {"paths": {"profiles_dir": str(profiles)}}})
    with Service(config) as s:
        yield s


@pytest.fixture
def session(service):
    session = Files(service, ttl=600)
    lines = [line for line in session.made["isolation"]["missing"] if line.startswith(MISSING)]
    if not helpers.is_root():
        assert lines == [MISSING + " (filesystem.workspace): needs a launcher of root's"]
        helpers.skip("an ordinary user has no loop devices, and is told so")
    if lines:
        helpers.skip(lines[0])
    yield session
    session.ask("DELETE")
    assert not helpers.poll(lambda: not session.show()["ended_at"], 60)


def loops():
    """Loop devices that have a file without a name in /var/tmp."""
    said = subprocess.run(["losetup", "-l", "-n", "-O", "NAME,BACK-FILE"], capture_output=True, text=True).stdout
    return {line.split()[0] for line in said.splitlines() if "/var/tmp/" in line}


def test_files_are_more_than_memory_and_go_with_the_session(service, session):
    before = loops()
    other = Files(service, ttl=600)
    assert len(loops() - before) == 1
    said = other.run("ls -A | wc -l; stat -f -c %T .; stat -c '%u %a' .; head -c 600M /dev/zero > big && wc -c < big; "
                     "id -u")["stdout"].split()
    assert said == ["0", "ext2/ext3", "1000", "755", str(600 << 20), "1000"], said
    assert other.put("sent", pieces(400))["size"] == 400 << 20
    assert other.run("rm big; wc -c < sent")["stdout"] == "%d\n" % (400 << 20)
    full = other.run("head -c 1900M /dev/zero > over; echo $?")
    assert "No space left on device" in full["stderr"] and full["stdout"] == "1\n", full
    error_of(other.file("PUT", "over", data=pieces(1900)), 413, "body_too_large")
    assert other.run("echo alive")["stdout"] == "alive\n"
    other.ask("DELETE")
    other.ended("deleted")
    assert not helpers.poll(lambda: loops() - before, 60), "a loop device is left"


def test_it_is_as_closed_as_one_in_memory(session):
    """No set-uid, no devices, no way to the image; and a program of the session may be executed in it as before."""
    said = session.run("cp /bin/sh sh && chmod 4755 sh; ls -l sh | cut -c4; mknod n b 7 0; ls /dev/loop* /dev/disk; "
                       "./sh -c 'echo executed'; grep ' /workspace ' /proc/mounts | cut -d' ' -f4")
    assert "executed" in said["stdout"] and "mknod" in said["stderr"] and "/dev/loop" in said["stderr"], said
    options = said["stdout"].split()[-1].split(",")
    assert {"nosuid", "nodev"} <= set(options), options


def test_archives_snapshots_and_checkpoints_work_there(service, session):
    session.run("mkdir -p a/b; echo one > a/b/f; ln -s f a/b/l")
    made = session.ask("POST", "/snapshots").json()
    again = Files(service, ttl=600, **{"from": made["snapshot_id"]})
    assert again.run("cat a/b/l")["stdout"] == "one\n"
    assert session.ask("POST", "/checkpoints").status_code == 201
    session.run("echo two > a/b/f")
    assert session.ask("POST", "/undo", json={}).status_code == 200
    assert session.run("cat a/b/f")["stdout"] == "one\n"


def test_a_killed_launcher_leaves_no_loop_device(service, session):
    before = loops()
    assert before
    helpers.kill_quietly(load.launcher_of(service))
    session.ended("session_lost")
    assert not helpers.poll(loops, 60), "a loop device is left"
    assert not [p for p in os.listdir("/var/tmp") if p.startswith("#")]
