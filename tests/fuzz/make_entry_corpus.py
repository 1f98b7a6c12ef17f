"""Writes the corpus of fuzz_entry: frames of a real run, both ways, and some that are wrong.

    python3 tests/fuzz/make_entry_corpus.py build/libexec/sandbox-agent/sandbox-entry tests/fuzz/corpus/entry
"""
import pathlib
import struct
import subprocess
import sys
import tempfile

PLAN, GO, STDIN, STDIN_END, SIGNAL, BYE = range(1, 7)
FORKS = 28
NO_BYTES = struct.pack("=I", 0)


def frame(kind, data=b""):
    return struct.pack("=II", kind, len(data)) + data


def u64(n):
    return struct.pack("=Q", n)


def text(s):
    return struct.pack("=I", 0) if s is None else struct.pack("=I", len(s) + 1) + s.encode() + b"\0"


def words(*items):
    data = b"".join(s.encode() + b"\0" for s in items)
    return struct.pack("=II", len(items), len(data)) + data


def plan(program="/bin/sh", script="echo out; echo err >&2; exit 3", copies=(), artifact=None, workspace=None):
    access = [("/", 5), ("", 4)]
    return frame(PLAN, words("sh", "-c", script) + words("PATH=/bin") + text(program) + text("/") + u64(len(access))
                 + b"".join(text(path) + u64(bits) for path, bits in access) + u64(0) + u64(0) + u64(15) + 3 * u64(0)
                 + words(*copies) + words("/", "/nowhere") + text(artifact) + u64(1 << 20) + text(workspace)
                 + u64(1 << 20) + u64(60000) + u64(1000) + 2 * NO_BYTES + u64(0) + u64(5) + words("/tmp"))


def told(entry, down, last=21):
    """What entry says to these frames, up to END or `last`; without BYE it would wait."""
    process = subprocess.Popen([entry], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(down)
    process.stdin.flush()
    up = b""
    while True:
        head = process.stdout.read(8)
        kind, size = struct.unpack("=II", head)
        up += head + process.stdout.read(size)
        if kind in (last, 22):
            break
    process.stdin.write(frame(BYE))
    process.stdin.close()
    assert process.wait(10) == 0
    return up


def main():
    entry, directory = sys.argv[1], pathlib.Path(sys.argv[2])
    run = plan() + frame(GO) + frame(STDIN, b"in") + frame(STDIN_END)
    with tempfile.TemporaryDirectory() as left:
        leave = "cd %s; echo one >a; mkdir d; echo two >d/b; ln -s a c" % left
        up_files = told(entry, plan(script=leave, workspace=left) + frame(GO), last=26)
    files = {
        "down-run": b"\xff" + run + frame(SIGNAL, u64(15)) + frame(BYE),
        "down-bytes": b"\0" + plan(artifact="/tmp/out", copies=("/a", "/b")) + frame(GO),
        "up-run": b"\x10" + told(entry, run),
        "up-files": b"\xff" + up_files,
        "up-forks": b"\xff" + frame(FORKS, u64(7) + u64(3) + u64(1)) + frame(FORKS, u64(7) + u64(1 << 40) + u64(1)),
        "up-failed": b"\x40" + told(entry, plan(program="/nowhere") + frame(GO)),
        "large-head": b"\x03" + struct.pack("=II", PLAN, 0xffffffff),
        "copies-odd": b"\xff" + plan(copies=("/a",)),
        "empty": b"\0",
        "mountinfo": b"".join(b"%d 1 0:%d %s %s %s\n" % (i, i, *line) for i, line in enumerate([
            (b"/", b"/", b"ro,relatime master:4 - overlay overlay rw,lowerdir=/x"),
            (b"/", b"/a\\040b", b"ro  - 9p none ro,trans=fd"),
            (b"/null", b"/proc/keys", b"rw,nosuid - tmpfs  rw,size=65536k"),
            (b"net:[1]", b"/x", b"rw shared:2 master:1 - nsfs a ro")])),
    }
    for name, data in files.items():
        (directory / name).write_bytes(data)


main()
