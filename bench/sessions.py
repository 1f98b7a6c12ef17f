#!/usr/bin/python3
"""sessions.py - what a session costs, in one run. As root.

    bench/sessions.py [--runs N] [--gigabytes N] [PART]...    parts: create command cell pause files idle; without: all

A service of its own with scan, audit, store and artifacts on, at level low. One client, a socket with keep-alive and
nothing around it. What is compared takes turns. «plain» is posix_spawn of the same program, until it was waited for;
for files it is a server of plain HTTP in C's sendfile and recv, by Python, with its file in memory as a workspace's is.
Only ratios mean something, and only on a quiet machine; the load is printed."""
import argparse
import contextlib
import json
import os
import pathlib
import re
import shutil
import socket
import sys
import tempfile
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests/integration"), str(ROOT / "tests/integration/service")]
import helpers
import service as service_module

PARTS = ["create", "command", "cell", "pause", "files", "idle"]
PROGRAMS = {"true": ["/bin/true"], "bash": ["/bin/bash", "-c", ":"], "python": ["/usr/bin/python3", "-I", "-c", "pass"],
            "git": ["/usr/bin/git", "--version"]}
PIECE = 1 << 20
SESSIONS = 200


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def row(*cells):
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def in_ms(times):
    return "%.2f (%.2f, %.2f..%.2f)" % tuple(1000 * x for x in (
        percentile(times, 0.5), min(times), percentile(times, 0.1), percentile(times, 0.9)))


def load():
    return helpers.read("/proc/loadavg").split()[0]


class Client:
    """One connection that is kept."""

    def __init__(self, url, key="", base=service_module.BASE):
        self.socket = socket.create_connection(("127.0.0.1", urllib.parse.urlsplit(url).port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.head, self.base = "Host: localhost\r\nAuthorization: Bearer %s\r\n" % key, base

    def send(self, method, path, body=b"", size=None):
        self.socket.sendall(("%s %s%s HTTP/1.1\r\n%sContent-Length: %d\r\n\r\n" % (
            method, self.base, path, self.head, len(body) if size is None else size)).encode() + body)

    def receive(self):
        """-> the head, and what came of the body"""
        data = b""
        while b"\r\n\r\n" not in data:
            more = self.socket.recv(PIECE)
            assert more, "the connection was closed"
            data += more
        head, _, data = data.partition(b"\r\n\r\n")
        size = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
        return head, data, size and int(size[1])

    def ask(self, method, path, **body):
        """-> seconds, the answer"""
        text = json.dumps(body).encode() if body else b""
        begin = time.perf_counter()
        self.send(method, path, text)
        head, data, size = self.receive()
        while len(data) < size:
            data += self.socket.recv(PIECE)
        took = time.perf_counter() - begin
        assert head[9:10] == b"2", data
        return took, json.loads(data) if data else None

    def download(self, path):
        begin = time.perf_counter()
        self.send("GET", path)
        head, data, size = self.receive()
        got, room, end = len(data), bytearray(PIECE), data[-5:]
        assert b" 200 " in head[:16], data
        while got < size if size else end != b"0\r\n\r\n":
            n = self.socket.recv_into(room)
            assert n, "broken off"
            got += n
            end = (end + room[max(0, n - 5):n])[-5:]
        return time.perf_counter() - begin, got

    def upload(self, path, fd, size):
        begin, at = time.perf_counter(), 0
        self.send("PUT", path, size=size)
        while at < size:
            at += os.sendfile(self.socket.fileno(), fd, at, size - at)
        head, data, _ = self.receive()
        assert b" 200 " in head[:16], data
        return time.perf_counter() - begin


@contextlib.contextmanager
def plain_http(directory):
    """Plain HTTP on the loopback: GET sends the file, PUT writes it. -> its address"""
    listener, path = socket.create_server(("127.0.0.1", 0)), os.path.join(directory, "plain")

    def serve(connection):
        data, room = b"", bytearray(PIECE)
        with connection:
            while more := connection.recv(PIECE):
                data += more
                if b"\r\n\r\n" not in data:
                    continue
                head, _, data = data.partition(b"\r\n\r\n")
                left = int(re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)[1]) - len(data)
                if head.startswith(b"PUT"):
                    with open(path + ".new", "wb", buffering=0) as f:
                        f.write(data)
                        while left and (n := connection.recv_into(room, min(left, PIECE))):
                            f.write(memoryview(room)[:n])
                            left -= n
                    os.rename(path + ".new", path)
                size = os.path.getsize(path) if head.startswith(b"GET") else 0
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % size)
                with open(path, "rb") as f:
                    at = 0
                    while at < size:
                        at += os.sendfile(connection.fileno(), f.fileno(), at, size - at)
                data = b""
    # a process of its own: it is not to share the interpreter's lock with the client
    pid = os.fork()
    if not pid:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
        os._exit(0)
    try:
        yield "http://127.0.0.1:%d" % listener.getsockname()[1]
    finally:
        helpers.kill_quietly(pid)
        os.waitpid(pid, 0)
        listener.close()


def plain(argv):
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1)]
    begin = time.perf_counter()
    pid = os.posix_spawn(argv[0], argv, {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}, file_actions=null)
    assert os.waitpid(pid, 0)[1] == 0, argv
    return time.perf_counter() - begin


def begin_session(client, **more):
    return client.ask("POST", "/sessions", risk_level="low", agent_id="bench", **more)


def measure_create(client, runs):
    """Goal: 2 x a prepared run."""
    times, kinds = {"run": [], "session": []}, set()
    for i in range(runs):
        took, r = client.ask("POST", "/execute", risk_level="low", agent_id="bench", language="bash",
                             code=":")
        if i:
            kinds.add(r["isolation"]["prepared"])
            times["run"].append(took)
        took, r = begin_session(client)
        times["session"].append(took)
        client.ask("DELETE", "/sessions/" + r["session_id"])
    row("a run of bash `:` (%s)" % ", ".join(sorted(kinds)), in_ms(times["run"]), "x1", "")
    row("a session is created", in_ms(times["session"]), "x%.2f to that run"
        % (percentile(times["session"], 0.5) / percentile(times["run"], 0.5)), "x2")


def measure_command(client, at, runs):
    """Goal: x1.5 of plain."""
    for name, argv in PROGRAMS.items():
        times = {"plain": [], "session": [], "run": []}
        for _ in range(runs):
            times["plain"].append(plain(argv))
            times["session"].append(client.ask("POST", at + "/execute", argv=argv)[0])
        row("`%s` plain" % name, in_ms(times["plain"]), "x1", "")
        row("`%s` in a session" % name, in_ms(times["session"]), "x%.2f" % (
            percentile(times["session"], 0.5) / percentile(times["plain"], 0.5)), "x1.5")


def measure_cell(client, at, runs):
    """Goal: 1 ms p50."""
    for language in ("python", "node", "bash"):
        context = at + "/contexts/" + client.ask("POST", at + "/contexts", language=language)[1]["context_id"]
        times = []
        for _ in range(10 * runs):
            took, r = client.ask("POST", context + "/execute", code="1+1" if language != "bash" else ":")
            assert r["reason"] == "completed", r
            times.append(took)
        row("a cell of %s" % language, in_ms(times[10:]), "", "1 ms" if language == "python" else "")
        client.ask("DELETE", context)


def measure_pause(client, at, runs):
    """Goal: 5 ms each."""
    client.ask("POST", at + "/execute", command="sleep 1000", background=True)
    times = {"pause": [], "resume": []}
    for _ in range(runs):
        for way in times:
            times[way].append(client.ask("POST", at + "/" + way)[0])
    for way, each in times.items():
        row(way, in_ms(each), "", "5 ms")


def measure_files(client, at, gigabytes):
    """Goal: 70 % of plain HTTP on the loopback."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as directory, plain_http(directory) as address, \
            tempfile.TemporaryFile(dir="/dev/shm") as source:
        size = int(gigabytes * (1 << 30))
        for _ in range(size >> 20):
            source.write(os.urandom(PIECE))
        source.flush()
        size, peer = os.fstat(source.fileno()).st_size, Client(address, base="")
        rates = {"up": {"plain": [], "session": []}, "down": {"plain": [], "session": []}}
        for _ in range(3):
            for name, c, path in (("plain", peer, "/plain"), ("session", client, at + "/files/big")):
                rates["up"][name].append(c.upload(path, source.fileno(), size))
                took, n = c.download(path)
                assert n >= size, n
                rates["down"][name].append(took)
        for way, each in rates.items():
            mb = {name: size / percentile(times, 0.5) / 1e6 for name, times in each.items()}
            row("%.1f GiB %s, plain" % (size / (1 << 30), way), "%.0f MB/s" % mb["plain"], "100 %", "")
            row("%.1f GiB %s, files of a session" % (size / (1 << 30), way), "%.0f MB/s" % mb["session"],
                "%.0f %%" % (100 * mb["session"] / mb["plain"]), "70 %")


def pss_mib(service):
    pids = {service.process.pid} | helpers.descendants(service.process.pid)
    return sum(int(m[1]) for p in pids for m in re.finditer(r"(?m)^Pss: +(\d+)",
                                                           helpers.read("/proc/%d/smaps_rollup" % p))) / 1024


def measure_idle(service, client):
    """Goal: 1 GB."""
    before, begin = pss_mib(service), time.perf_counter()
    for i in range(SESSIONS):
        client.ask("POST", "/sessions", risk_level="low", agent_id="idle-%d" % (i % 20), ttl=600)
    took = time.perf_counter() - begin
    row("%d idle sessions (made in %.1f s)" % (SESSIONS, took), "%.0f MiB" % (pss_mib(service) - before), "", "1 GB")


def profile(place, gigabytes):
    """The level low, with memory for the file, twice: while a new one is written the old one is there."""
    room = "%dm" % (2.5 * gigabytes * 1024 + 512)
    for level in ("low", "medium", "high"):
        values = helpers.shipped(level)
        if level == "low":
            values["resources"].update(memory=room, storage=room)
            values["execution"]["max_file_size"] = room
        (place / ("%s-risk.yaml" % level)).write_text(helpers.to_yaml(values))


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--runs", type=int, default=100)
    p.add_argument("--gigabytes", type=float, default=1)
    p.add_argument("parts", nargs="*", metavar="PART", default=PARTS)
    o = p.parse_args()
    if unknown := set(o.parts) - set(PARTS):
        p.error("unknown: %s; parts are %s" % (", ".join(sorted(unknown)), " ".join(PARTS)))
    profiles = pathlib.Path(tempfile.mkdtemp(prefix="bench-profiles-"))
    profiles.chmod(0o755)
    profile(profiles, o.gigabytes)
    config = {"rate_limiting": {"enabled": False}, "endpoints": {"api": {"max_sessions": 1000}},
              "sandbox": {"paths": {"profiles_dir": str(profiles)}}}
    print("load at the start", load(), "\n\n| | ms: p50 (least, p10..p90) | ratio | goal |\n|---|---|---|---|")
    try:
        with service_module.Service(config) as s:
            client = Client(s.url, s.override())
            at = "/sessions/" + begin_session(client, ttl=3600)[1]["session_id"]
            work = {
                "create": lambda: measure_create(client, o.runs),
                "command": lambda: measure_command(client, at, o.runs),
                "cell": lambda: measure_cell(client, at, o.runs),
                "pause": lambda: measure_pause(client, at, o.runs),
                "files": lambda: measure_files(client, at, o.gigabytes),
                "idle": lambda: measure_idle(s, client),
            }
            for part in o.parts:
                work[part]()
    finally:
        shutil.rmtree(profiles)
    print("\nload at the end", load())


if __name__ == "__main__":
    main()
