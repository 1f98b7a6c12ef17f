"""The files of a session over HTTP: read, write, list, move, remove, archives; and what its code may do to them."""
import contextlib
import io
import json
import os
import socket
import tarfile
import tempfile
import threading
from urllib.parse import quote, urlsplit

import helpers
import load
import pytest
import requests
from service import BASE, Service, error_of

from test_sessions import Session


class Files(Session):
    def file(self, method, path, **kwargs):
        return self.ask(method, "/files/" + path, **kwargs)

    def put(self, path, data, query=""):
        answer = self.file("PUT", quote(path) + query, data=data)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def get(self, path):
        answer = self.file("GET", quote(path))
        assert answer.status_code == 200, answer.text
        return answer.content

    def list(self, path="", query=""):
        answer = self.file("GET", quote(path) + "?list" + query)
        assert answer.status_code == 200, answer.text
        return {entry["name"]: entry for entry in answer.json()["entries"]}


@pytest.fixture(scope="module")
def service():
    with Service({**load.UNLIMITED, "endpoints": {"api": {"max_body": "1m"}}}) as s:
        yield s


@pytest.fixture(scope="module")
def shared(service):
    return Files(service, ttl=3600)


@pytest.fixture
def session(shared):
    yield shared
    shared.run("cd /workspace && find . -mindepth 1 -delete")


def test_files_that_are_uploaded_are_the_codes_own_and_come_back(session):
    made = session.put("data/in put.bin", b"\0\xff" * 1000)
    assert (made["type"], made["size"], made["mode"]) == ("file", 2000, "0644")
    session.put("tool.sh", b"#!/bin/sh\necho \"$(id -u) $(stat -c %u \"$0\")\"\n", "?mode=0755")
    said = session.run("./tool.sh; echo more >> 'data/in put.bin'; chmod 600 tool.sh; mv tool.sh data/")["stdout"]
    uid, owner = said.split()
    assert uid == owner
    assert session.get("data/in put.bin") == b"\0\xff" * 1000 + b"more\n"
    listed = session.list("data")
    assert sorted(listed) == ["in put.bin", "tool.sh"] and listed["tool.sh"]["mode"] == "0600"
    changed = {"name": "in put.bin", "size": 2005, "modified": listed["in put.bin"]["modified"]}
    assert listed["in put.bin"] == {**made, **changed}
    session.put("empty", b"")
    assert session.get("empty") == b""
    session.put("empty", b"now not")
    assert session.run("cat empty")["stdout"] == "now not"


def test_directories_are_made_moved_and_removed(session):
    assert session.file("POST", "a/b/c?mkdir").status_code == 201
    assert session.file("POST", "a/b/c?mkdir").status_code == 200
    session.put("a/b/c/file", b"x")
    session.put("other", b"y")
    assert session.file("POST", "a/b/c/file?move=moved/here").json() == {"path": "moved/here"}
    error_of(session.file("POST", "other?move=moved/here"), 409, "conflict")
    assert session.file("POST", "other?move=moved/here&replace").status_code == 200
    assert session.run("cat moved/here; ls a/b/c | wc -l")["stdout"] == "y0\n"
    assert sorted(session.list("", "&depth=9")) == ["a", "a/b", "a/b/c", "moved", "moved/here"]
    assert session.file("DELETE", "a").status_code == 200
    assert session.file("DELETE", "moved/here").status_code == 200
    assert sorted(session.list("", "&depth=9")) == ["moved"]
    assert session.file("GET", "moved?stat").json()["type"] == "directory"


def test_a_download_is_an_attachment_that_no_browser_shows(session):
    session.put("page.html", b"<script>alert(1)</script>")
    answer = session.file("GET", "page.html")
    assert answer.headers["Content-Type"] == "application/octet-stream"
    assert answer.headers["Content-Disposition"] == "attachment"
    assert answer.headers["Content-Security-Policy"].startswith("sandbox")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_a_range_of_a_file(session):
    session.put("digits", b"0123456789")
    for asked, got, told in (
            ("bytes=2-4", b"234", "bytes 2-4/10"), ("bytes=7-", b"789", "bytes 7-9/10"),
            ("bytes=-3", b"789", "bytes 7-9/10"), ("bytes=-99", b"0123456789", "bytes 0-9/10"),
            ("bytes=0-0", b"0", "bytes 0-0/10"), ("bytes=8-99", b"89", "bytes 8-9/10")):
        answer = session.file("GET", "digits", headers={"Range": asked})
        assert (answer.status_code, answer.content, answer.headers.get("Content-Range")) == (206, got, told), asked
    for asked in ("bytes=x", "bytes=1-2,4-5", "lines=1-2", "bytes=4-2", "bytes=-"):
        answer = session.file("GET", "digits", headers={"Range": asked})
        assert (answer.status_code, answer.content) == (200, b"0123456789"), asked
    assert session.file("GET", "digits", headers={"Range": "bytes=10-"}).status_code == 422
    assert session.file("GET", "digits", headers={"Range": "bytes=-0"}).status_code == 422


def test_what_cannot_be_done_is_said_with_its_reason(session):
    session.put("file", b"x")
    session.run("mkdir -p dir/x; ln -s dir link; mkfifo fifo; ln -s /etc/passwd out; ln -s ../.. up; mkdir -m 0 shut")
    for method, path, status, words in (
            ("GET", "nothing", 404, "no such file"), ("GET", "dir", 409, "is a directory"),
            ("GET", "fifo", 422, "no regular file"), ("GET", "out", 422, "leads out"),
            ("GET", "up/etc/passwd", 422, "leads out"), ("GET", "../x", 422, "leads out"),
            ("GET", "shut/x", 403, "permissions"), ("GET", "file?list", 409, "no directory"),
            ("GET", "nothing?stat", 404, "no such"), ("PUT", "dir", 409, "is a directory"),
            ("PUT", "link/x", 422, "symbolic link"), ("PUT", "../x", 422, "out of"), ("PUT", "file/x", 409, "none"),
            ("DELETE", "%2e", 422, "no path"), ("DELETE", "nothing", 404, "no such"),
            ("DELETE", "link/x", 422, "symbolic link"), ("POST", "nothing?move=x", 404, "no such"),
            ("POST", "file?move=../x", 422, "out of"), ("POST", "file", 422, "?mkdir"),
            ("POST", "file?mkdir", 409, "exists"), ("PUT", "x?mode=999", 422, "octal"),
            ("PUT", "n" * 300, 422, "no path")):
        answer = session.file(method, path.replace("../", "%2e%2e/"), **({"data": b"x"} if method == "PUT" else {}))
        assert answer.status_code == status, (method, path, answer.text)
        assert words in answer.json()["error"]["message"], (method, path, answer.text)
    for method, path in (("GET", "file?lst"), ("PUT", "file?list"), ("POST", "file?mkdir&x"), ("DELETE", "file?x")):
        error_of(session.file(method, path), 400, "invalid_request")
    assert session.get("file") == b"x"
    assert session.list()["link"]["target"] == "dir" and session.list()["fifo"]["type"] == "fifo"
    assert session.file("DELETE", "link").status_code == 200 and session.list("dir")
    session.run("chmod 700 shut")


def test_names_of_any_bytes_can_be_asked_for(session):
    session.run(language="python", code="import os\nfor n in (b'\\xff\\xfe', 'é\\n日'.encode(), b'a b%41', b'-rf'):\n"
                                        "    open(n, 'wb').write(n)")
    listed = session.list()
    assert sorted(listed) == sorted(["\ufffd\ufffd", "é\n日", "a b%41", "-rf"])
    assert listed["\ufffd\ufffd"]["name_encoded"] == "%FF%FE"
    assert session.file("GET", "%FF%FE").content == b"\xff\xfe"
    assert session.get("é\n日") == "é\n日".encode()
    assert session.get("a b%41") == b"a b%41"


def test_an_archive_brings_a_tree_in_and_out(session):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as t:
        for name, data in (("p/a.txt", b"A" * 100000), ("p/" + "long/" * 40 + "b", b"B")):
            info = tarfile.TarInfo(name)
            info.size = len(data)
            t.addfile(info, io.BytesIO(data))
        link = tarfile.TarInfo("p/link")
        link.type, link.linkname = tarfile.SYMTYPE, "a.txt"
        t.addfile(link)
    answer = session.ask("PUT", "/archive/in/here", data=packed.getvalue())
    assert (answer.status_code, answer.json()) == (200, {"entries": 3})
    assert session.run("wc -c < in/here/p/link; find . -name b | wc -l")["stdout"] == "100000\n1\n"
    out = session.ask("GET", "/archive/in")
    assert out.status_code == 200 and out.headers["Content-Type"] == "application/x-tar"
    assert out.headers["Content-Disposition"] == "attachment"
    with tarfile.open(fileobj=io.BytesIO(out.content)) as t:
        assert t.extractfile("here/p/a.txt").read() == b"A" * 100000
        assert t.getmember("here/p/link").linkname == "a.txt" and "here/p/" + "long/" * 40 + "b" in t.getnames()
    error_of(session.ask("GET", "/archive/nothing"), 404, "not_found")
    error_of(session.ask("GET", "/archive/in/here/p/a.txt"), 409, "conflict")
    refused = error_of(session.ask("PUT", "/archive/x", data=b"no archive" * 1000), 422, "invalid_value")
    assert "no tar archive" in refused["message"]
    evil = io.BytesIO()
    with tarfile.open(fileobj=evil, mode="w") as t:
        t.addfile(tarfile.TarInfo("../out\x1b[2J"))
    refused = error_of(session.ask("PUT", "/archive/x", data=evil.getvalue()), 422, "invalid_value")
    assert "leads out" in refused["message"] and "\x1b" not in refused["message"]


def test_an_archive_that_cannot_be_told_whole_is_broken_off(session):
    session.run("echo x > file; mkdir shut; echo x > shut/y; chmod 0 shut")
    with pytest.raises(requests.exceptions.RequestException):
        session.ask("GET", "/archive")
    session.run("chmod 700 shut")
    assert session.ask("GET", "/archive").content.endswith(bytes(1024))


def test_large_files_come_and_go_whole(session):
    data = bytes(range(256)) * 4 * 4096 * 10  # 40 MiB
    session.put("large", data)
    assert session.run("wc -c < large; sha256sum large | cut -c1-8")["stdout"].split()[0] == str(len(data))
    assert session.get("large") == data


def pieces(count, size=1 << 20):
    for i in range(count):
        yield bytes([i % 256]) * size


def test_a_body_has_any_size_and_is_not_kept_in_the_service(service, session):
    """endpoints.api.max_body, 1 MiB here, is for what the service reads itself."""
    def memory():
        return int(helpers.status(service.pids("sandboxd")[-1])["VmHWM"].split()[0])
    session.put("warm", b"x" * (2 << 20))
    session.put("warm", pieces(2))
    before = memory()
    with tempfile.TemporaryFile() as f:  # with a length
        f.writelines(pieces(100))
        f.seek(0)
        assert session.file("PUT", "big", data=f).json()["size"] == 100 << 20
    session.put("big", pieces(100))  # in chunks
    assert session.run("wc -c < big; head -c $((99<<20)) big | tail -c 2 | od -An -tu1")["stdout"].split() == [
        str(100 << 20), "98", "98"]
    answer = session.file("GET", "big", stream=True)
    assert int(answer.headers["Content-Length"]) == sum(len(c) for c in answer.iter_content(1 << 20)) == 100 << 20
    assert memory() - before < 16 << 10, "KiB: %d, then %d" % (before, memory())
    error_of(session.ask("POST", "/execute", json={"command": ": " + "x" * (2 << 20)}), 413, "body_too_large")


def test_a_body_that_finds_no_room_is_refused_and_leaves_nothing(session):
    """low: 512 MiB of memory. Were it filled, Linux would end processes of the session, and so itself."""
    error_of(session.file("PUT", "big", data=pieces(2000)), 413, "body_too_large")
    with tempfile.TemporaryFile() as f:
        f.truncate(600 << 20)
        error_of(session.file("PUT", "big", data=f), 413, "body_too_large")
    assert session.list() == {} and session.run("echo alive")["stdout"] == "alive\n"


def test_a_client_that_leaves_in_the_midst_of_its_body_leaves_nothing(session):
    def breaks_off():
        yield from pieces(5)
        raise ConnectionAbortedError
    session.put("there", b"as it was")
    for path in ("there", "new/one"):
        with contextlib.suppress(requests.RequestException, ConnectionAbortedError), requests.Session() as other:
            session.file("PUT", path, data=breaks_off(), session=other)
    assert not helpers.poll(lambda: [n for n in session.list("", "&depth=9") if n not in ("there", "new")], 30)
    assert session.get("there") == b"as it was"


def memory_charged_to(pid):
    """Of its cgroup: bytes; None: it has none with a limit."""
    for line in helpers.read("/proc/%d/cgroup" % pid).splitlines():
        number, controllers, path = line.split(":", 2)
        for name in (["/sys/fs/cgroup/memory%s/memory.usage_in_bytes" % path] if "memory" in controllers.split(",")
                     else ["/sys/fs/cgroup%s/memory.current" % path] if number == "0" else []):
            if text := helpers.read(name).strip():
                return int(text)
    return None


def stewards(service):
    """Not the reapers below them, and what waits below these."""
    pids = set(service.pids("steward"))
    parents = {p: helpers.read("/proc/%d/stat" % p).rpartition(")")[2].split() for p in pids}
    return {p for p, words in parents.items() if len(words) > 1 and int(words[1]) not in pids}


def test_a_large_file_on_its_way_is_the_sessions_memory_and_no_job_sees_it(service):
    """The service writes it itself, into memory that the worker inside has taken for it, eight MiB ahead."""
    others = stewards(service)
    session = Files(service)
    steward = min(stewards(service) - others)
    session.run("echo as it was > big; mkdir there")
    before, size, sent = memory_charged_to(steward), 64 << 20, 48 << 20
    for path, is_whole in (("new/big", False), ("there/big", False), ("big", True)):
        with socket.create_connection(("127.0.0.1", urlsplit(service.url).port)) as s:
            s.sendall(("PUT %s/sessions/%s/files/%s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"
                       "Content-Length: %d\r\n\r\n" % (BASE, session.id, path, session.key, size)).encode())
            for piece in pieces(sent >> 20):
                s.sendall(piece)
            if before is not None and session.made["isolation"]["cgroup"] != "none":
                assert not helpers.poll(lambda: memory_charged_to(steward) - before < sent)
            assert session.run("find . -type f -size +1k; cat big")["stdout"] == "as it was\n"
            if is_whole:
                s.sendall(bytes([7]) * (size - sent))
                assert s.recv(100).startswith(b"HTTP/1.1 200 ")
    assert session.get("big") == b"".join(pieces(sent >> 20)) + bytes([7]) * (size - sent)
    assert sorted(session.list("", "&depth=3")) == ["big", "new", "there"]
    session.run("rm -f big; : > big/x 2>/dev/null; ln -s /etc big")
    with tempfile.TemporaryFile() as f:
        f.truncate(6 << 20)
        assert session.file("PUT", "big", data=f).json() | {"modified": ""} == {
            "name": "big", "type": "file", "size": 6 << 20, "mode": "0644", "modified": ""}
        f.seek(0)
        session.run("mkdir dir")
        error_of(session.file("PUT", "dir", data=f), 409, "conflict")
    session.ask("DELETE")


def test_a_file_that_becomes_shorter_while_it_is_read_is_broken_off(session):
    session.put("big", pieces(64))
    answer = session.file("GET", "big", stream=True)
    session.run(": > big")
    with contextlib.suppress(requests.RequestException):  # newer ones look themselves
        assert len(answer.content) < int(answer.headers["Content-Length"])


def test_an_archive_that_claims_too_much_is_refused_and_leaves_nothing(session):
    refused = error_of(session.ask("PUT", "/archive/x", data=sparse_claim()), 413, "body_too_large")
    assert "larger than the limit" in refused["message"]
    assert session.list("x") == {}


def sparse_claim():
    """An archive that says its one file has a terabyte."""
    info = tarfile.TarInfo("huge")
    info.size = 1 << 40
    return info.tobuf(tarfile.GNU_FORMAT)


def test_at_most_four_requests_at_once_and_the_rest_is_told_to_wait(session):
    """The code holds nothing up: what it makes of the tree meanwhile is its own business."""
    session.run("for i in $(seq 50); do mkdir d$i; echo $i > d$i/f; done")
    statuses = []

    def ask():
        answer = session.ask("GET", "/archive")
        statuses.append(answer.status_code)
        assert answer.status_code == 200 and len(answer.content) > 50 * 1024 or answer.headers["Retry-After"]
    threads = [threading.Thread(target=ask) for _ in range(12)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert set(statuses) <= {200, 429} and 200 in statuses
    assert session.list()["d1"]["type"] == "directory"


def test_files_of_an_ended_session_and_of_another_key(service):
    session = Files(service)
    session.put("x", b"x")
    other = service.new_key("run")
    assert service.request("GET", "/sessions/%s/files/x" % session.id, key=other).status_code == 404
    session.ask("DELETE")
    session.ended("deleted")
    error_of(session.file("GET", "x"), 409, "conflict")
    error_of(session.file("PUT", "x", data=b"y"), 409, "conflict")


def test_the_code_cannot_reach_a_worker(session):
    """While one is in the middle of a stream that its client does not read, a job signals and looks at all it sees."""
    session.put("large", bytes(16 << 20))
    answer = session.ask("GET", "/archive", stream=True)
    parts = answer.iter_content(512)
    first = next(parts)
    seen = session.run("kill -9 -1; ls /proc/[0-9]*/fd /proc/[0-9]*/root/ 2>/dev/null | wc -l; "
                       "for p in /proc/[0-9]*; do grep -l sandbox-steward $p/cmdline; done; true")
    assert "sandbox-steward" not in seen["stderr"] + seen["stdout"]
    whole = first + b"".join(parts)
    with tarfile.open(fileobj=io.BytesIO(whole)) as t:
        assert t.getmember("large").size == 16 << 20
    assert session.run("echo alive")["stdout"] == "alive\n"


def test_no_worker_and_no_descriptor_is_left(service, session):
    session.put("x", b"x")

    def count():
        inside = session.run("ls /proc | grep -c '^[0-9]'")["stdout"]
        return len(os.listdir("/proc/%d/fd" % service.process.pid)), int(inside)
    session.get("x")
    before = count()  # connections of earlier tests may still be closing: so many rounds that a leak is more than they
    for _ in range(40):
        session.put("x", b"y")
        session.get("x")
        session.list()
        session.file("GET", "nothing")
        session.ask("GET", "/archive", stream=True).close()  # a client that leaves
    assert not helpers.poll(lambda: any(now > then for now, then in zip(count(), before)), 60), (before, count())


# ---- watching ----

class Watch:
    """A stream of changes, read to its next event."""

    def __init__(self, session, query=""):
        self.answer = session.ask("GET", "/watch" + query, stream=True)
        assert self.answer.status_code == 200, self.answer.text
        assert self.answer.headers["Content-Type"].startswith("text/event-stream")
        self.lines = self.answer.iter_lines(chunk_size=1)
        assert next(self)["type"] == "watching"

    def __next__(self):
        return json.loads(next(line for line in self.lines if line.startswith(b"data: "))[6:])

    def until(self, kind, name):
        """-> what came before it, too"""
        seen = []
        while not seen or seen[-1] != (kind, name):
            event = next(self)
            assert event["type"] != "end", seen
            seen.append((event["type"], event["name"]))
        return seen

    def close(self):
        self.answer.close()


def test_changes_are_told_as_they_happen(session):
    session.run("mkdir -p out/deep")
    with contextlib.ExitStack() as open_:
        one, all_ = (open_.enter_context(contextlib.closing(Watch(session, q))) for q in ("?path=out", "?recursive"))
        session.run("echo x > out/f; chmod 600 out/f; mv out/f out/g; echo y > out/deep/h; rm out/g; mkdir out/last")
        assert one.until("create", "last") == [
            ("create", "f"), ("write", "f"), ("chmod", "f"), ("rename", "f"), ("create", "g"), ("remove", "g"),
            ("create", "last")]
        assert {("create", "out/deep/h"), ("remove", "out/g")} <= set(all_.until("create", "out/last"))
        for command, kind, name in (("mkdir -p new/a", "create", "new/a"), ("echo x > new/a/f", "create", "new/a/f"),
                                    ("mv new/a moved", "create", "moved/f"), ("echo z >> moved/f", "write", "moved/f")):
            session.run(command)
            all_.until(kind, name)
        session.put("whole", b"x")
        assert all_.until("create", "whole") == [("create", "whole")], "not what it was called before it was whole"
        session.run("rmdir out/last; rm -r out")
        assert ("remove", "deep") in one.until("gone", "")
        assert next(one)["type"] == "end"


def test_a_watch_ends_with_its_time_with_its_client_and_with_the_session(service, session):
    ended = session.ask("GET", "/watch?seconds=0").text
    assert [json.loads(line[6:])["type"] for line in ended.split("\n\n") if line] == ["watching", "end"]
    error_of(session.ask("GET", "/watch?path=none"), 404, "not_found")
    error_of(session.ask("GET", "/watch?path=../etc"), 422, "invalid_value")
    error_of(session.ask("GET", "/watch?seconds=-1"), 422, "invalid_value")
    session.put("file", b"x")
    error_of(session.ask("GET", "/watch?path=file"), 409, "conflict")
    short = Files(service, agent_id="watched")
    watches = [Watch(short) for _ in range(4)]
    error_of(short.ask("GET", "/watch"), 429, "rate_limited")
    watches.pop().close()
    assert not helpers.poll(lambda: short.ask("GET", "/watch?seconds=0").status_code != 200, 60)
    short.ask("DELETE")
    for w in watches:
        assert next(w)["type"] == "end"


def test_a_job_has_no_inotify(session):
    """Of the read-only /usr it would tell what others on the host open (filter/builtin.c)."""
    code = "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\nprint(libc.inotify_init1(0), ctypes.get_errno())"
    assert session.run(language="python", code=code)["stdout"] == "-1 38\n"
