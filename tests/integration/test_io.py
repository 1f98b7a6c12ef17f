"""resources.io: what a program may read from and write to a disk in a second.

The kernel counts. Nothing is timed from outside: a program compares the bytes that it got with its own clock, and a
busy machine only gives it fewer.
"""
import os

import pytest
from helpers import MIB, at_the_deadline, by_cgroup, skip

FREE = {"languages.python.blocked_modules": [], "languages.python.allowed_modules": "all",
        "filesystem.allowed_mounts": ["/"]}
UNLIMITED = {"resources.io.rbps": 0, "resources.io.wbps": 0, "resources.io.riops": 0, "resources.io.wiops": 0}

# -> bytes, requests, seconds
LOOP = """import mmap, os, time
CHUNK, SECONDS = %d, 1.5
fd = os.open('/v/data', os.O_DIRECT | (os.O_RDWR if %r == 'write' else os.O_RDONLY))
size = os.fstat(fd).st_size
page = mmap.mmap(-1, CHUNK)
begin, at, total, count = time.monotonic(), 0, 0, 0
while time.monotonic() - begin < SECONDS:
    n = os.pwritev(fd, [page], at) if %r == 'write' else os.preadv(fd, [page], at)
    at = (at + n) %% size
    total, count = total + n, count + 1
print(total, count, time.monotonic() - begin)
"""


@pytest.fixture
def disk(box):
    """A directory with 16 MiB of data on a disk; without one, or control groups, nothing is held back."""
    if not by_cgroup(box):
        r = box.json("python", "print(1)\n", level="medium")
        assert any(m.startswith("io: ") for m in r["isolation"]["missing"]), r["isolation"]
        skip("without a cgroup nothing holds back reading and writing, and the result says so")
    place = box.directory("volume")
    if os.major(place.stat().st_dev) == 0:
        skip("%s does not lie on a disk" % place)
    place.chmod(0o777)
    data = place / "data"
    data.write_bytes(os.urandom(16 * MIB))
    data.chmod(0o666)
    descriptor = os.open(data, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)
    return place


def run(box, disk, code, mode="ro", **limits):
    profile = box.derive("medium", {**FREE, **UNLIMITED, **{"resources.io.%s" % k: v for k, v in limits.items()}})
    return box.json("python", code, profile=profile, options=["--volume", "%s:/v:%s" % (disk, mode)])


def amount(box, disk, way, chunk=64 * 1024, **limits):
    r = run(box, disk, LOOP % (chunk, way, way), "rw" if way == "write" else "ro", **limits)
    lines = [m for m in r["isolation"]["missing"] if m.startswith("io: ")]
    if any("not ours to use" in m for m in lines):
        skip(lines[0])
    total, count, seconds = r["stdout"].split()
    return int(total), int(count), float(seconds), lines


def test_bytes_read_are_held_at_the_limit(box, disk):
    total, _, seconds, missing = amount(box, disk, "read", rbps="1m")
    assert total <= MIB * (seconds + 1), "held at 1 MiB a second"
    assert missing == []
    total, _, _, missing = amount(box, disk, "read")
    assert total > 0 and missing == [], "without a limit nothing is missing either"


def test_bytes_written_are_held_at_the_limit(box, disk):
    total, _, seconds, missing = amount(box, disk, "write", wbps="1m")
    assert total <= MIB * (seconds + 1)
    is_v1 = not os.path.exists("/sys/fs/cgroup/cgroup.controllers")
    assert is_v1 == any("page cache" in m for m in missing), missing


def test_requests_are_held_at_the_limit(box, disk):
    _, count, seconds, _ = amount(box, disk, "read", chunk=4096, riops=40)
    assert count <= 40 * (seconds + 1)
    _, count, seconds, _ = amount(box, disk, "write", chunk=4096, wiops=40)
    assert count <= 40 * (seconds + 1)


def test_a_run_that_is_held_back_ends_at_its_deadline(box, disk):
    """One read of 16 MiB at 64 KiB a second takes four minutes, and no signal ends it: the launcher lifts the limit."""
    code = """import mmap, os
fd = os.open('/v/data', os.O_RDONLY | os.O_DIRECT)
page = mmap.mmap(-1, 16 << 20)
print('reads', flush=True)
os.preadv(fd, [page], 0)
print('has read')
"""

    def run(seconds):
        profile = box.derive("medium", {**FREE, **UNLIMITED, "resources.io.rbps": "64k", "resources.timeout": seconds})
        return box.json("python", code, profile=profile, options=["--volume", "%s:/v:ro" % disk])
    r = at_the_deadline(run, 3, is_ready=lambda r: "reads\n" in r["stdout"])
    if r["reason"] == "completed":
        assert any("not ours to use" in m for m in r["isolation"]["missing"]), r
        skip("the io controller is not ours")
    assert r["reason"] == "timeout" and "has read" not in r["stdout"], r
    assert r["duration_ms"] < 100_000, r


def test_io_can_be_required(box, disk):
    """Required and not to be had is a refusal."""
    profile = box.derive("medium", {**FREE, **UNLIMITED, "security.require": ["io"]})
    r = box.json("python", "print(1)\n", profile=profile)
    assert r["error"] and "requires io" in r["error"]["message"] and "resources.io" in r["error"]["message"], r
    profile = box.derive("medium", {**FREE, "security.require": ["io"]})
    r = box.json("python", "print(1)\n", profile=profile, options=["--volume", "%s:/v:ro" % disk])
    assert r["stdout"] == "1\n" or "not ours to use" in r["error"]["message"], r


def test_what_the_levels_ship_is_in_force(box, disk):
    for level in ("low", "medium", "high"):
        r = box.json("python", "print(1)\n", level=level)
        lines = [m for m in r["isolation"]["missing"] if m.startswith("io: ")]
        assert r["stdout"] == "1\n" and all("not ours to use" in m for m in lines), r["isolation"]
