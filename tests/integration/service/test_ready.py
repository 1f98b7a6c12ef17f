"""/readyz says no, and why, as long as every run would be refused; and yes again when the next one would be taken."""
import os
import pathlib
import pwd

import helpers
import load
import pytest
from service import USER, Service


def ready(service):
    return service.outside("GET", "/readyz", session=service.connection())


def check_not_ready(service, check, *said, refuses=True):
    answer = ready(service)
    assert answer.status_code == 503 and answer.headers["Retry-After"], answer.text
    body = answer.json()
    assert body["status"] == "unavailable" and body["checks"][check] != "ok", body
    for word in said:
        assert word in body["checks"][check], body
    refused = service.execute("echo no", "bash", session=service.connection()) if refuses else None
    assert not refuses or refused.status_code in (500, 503), "not ready, and it ran: " + refused.text


def check_ready(service):
    assert not helpers.poll(lambda: ready(service).status_code != 200, 60), ready(service).text
    assert set(ready(service).json()["checks"].values()) == {"ok"}
    assert service.run("echo yes", "bash", session=service.connection())["stdout"] == "yes\n"


def test_a_database_without_its_name_is_not_ready(make_service):
    service = make_service(load.UNLIMITED)
    check_ready(service)
    database = service.state_dir / "state.db"
    database.rename(database.with_suffix(".away"))
    answer = ready(service)
    assert (answer.status_code == 503 and "state.db" in answer.json()["checks"]["store"]
            and "start the service again" in answer.text), answer.text
    (service.state_dir / "state.db").write_bytes(b"")  # another one in its place is not the one that is open
    assert "not the file" in ready(service).json()["checks"]["store"]
    database.unlink()
    database.with_suffix(".away").rename(database)
    check_ready(service)


def test_a_database_that_was_unlinked_is_not_ready(make_service):
    service = make_service(load.UNLIMITED)
    service.run("echo yes", "bash")
    (service.state_dir / "state.db").unlink()
    answer = ready(service)  # an agent's run would be counted in a file that goes with the service
    assert answer.status_code == 503, answer.text
    assert ("state.db" in answer.json()["checks"]["store"]
            and "start the service again" in answer.json()["checks"]["store"]), answer.text


def test_a_log_directory_that_is_gone_is_not_ready(make_service):
    service = make_service(load.UNLIMITED)
    check_ready(service)
    away = service.dir / "away"
    service.log_dir.rename(away)
    # an ordinary user's makes it anew for a run's log
    check_not_ready(service, "audit", str(service.log_dir), refuses=helpers.is_root())
    away.rename(service.log_dir)
    check_ready(service)


def test_a_log_directory_that_cannot_be_written_is_not_ready(make_service):
    service = make_service(load.UNLIMITED)
    check_ready(service)
    before = service.log_dir.stat()
    if helpers.is_root():
        os.chown(service.log_dir, 0, 0)
    service.log_dir.chmod(0o555)
    check_not_ready(service, "audit", str(service.log_dir), "Permission denied")
    os.chown(service.log_dir, before.st_uid, before.st_gid)
    service.log_dir.chmod(0o755)
    check_ready(service)


class SmallDisk(Service):
    """Its `where` is a small file system of its own, in a mount namespace of its own."""

    def __init__(self, where, **more):
        self.where = where
        super().__init__(load.UNLIMITED, **more)

    def words(self):
        user = pwd.getpwnam(USER)
        place = self.dir / self.where
        script = ("mount -t tmpfs -o size=2m,mode=755,uid=%d,gid=%d tmpfs %s; exec \"$@\""
                  % (user.pw_uid, user.pw_gid, place))
        return ["unshare", "-m", "--propagation", "private", "sh", "-ec", script, "sh", *super().words()]

    @property
    def inside(self):
        return pathlib.Path("/proc/%d/root%s" % (self.pids("sandboxd")[0], self.dir / self.where))


@pytest.mark.parametrize("where, check", [("log", "audit"), ("state", "store")])
def test_a_full_disk_is_not_ready_until_there_is_room(where, check):
    if not helpers.is_root():
        helpers.skip("only root can mount a small disk where the service sees it")
    with SmallDisk(where) as service:
        check_ready(service)
        with open(service.inside / "fill", "wb", buffering=0) as f:
            with pytest.raises(OSError):
                while True:
                    f.write(b"x" * 4096)
        answer = ready(service)
        assert answer.status_code == 503 and "No space left" in answer.json()["checks"][check], answer.text
        (service.inside / "fill").unlink()
        check_ready(service)


def test_probes_leave_nothing_behind(make_service):
    service = make_service(load.UNLIMITED)
    assert not helpers.poll(lambda: not list(service.log_dir.rglob(".swept")),
                            60), "the first sweep comes after the start, by a thread of its own"
    before = [sorted(p.name for p in d.iterdir()) for d in (service.state_dir, service.log_dir)]
    for _ in range(20):
        assert ready(service).status_code == 200
    assert [sorted(p.name for p in d.iterdir()) for d in (service.state_dir, service.log_dir)] == before


def test_a_launcher_that_cannot_be_started_is_not_ready(make_service):
    service = make_service(load.UNLIMITED, start=False)
    service.daemon = helpers.copy_installation(service.dir / "prefix") / "bin/sandboxd"
    service.start()
    program = service.dir / "prefix/libexec/sandbox-agent/sandbox-launcher"
    program.rename(program.with_suffix(".away"))
    for pid in service.pids("sandbox-launcher"):
        helpers.kill_quietly(pid)
    assert not helpers.poll(lambda: ready(service).status_code == 200, 60)
    check_not_ready(service, "launcher", "is not there")
    program.with_suffix(".away").rename(program)
    check_ready(service)
