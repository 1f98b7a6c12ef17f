"""What the code of a session makes of its workspace while the service lists, reads, archives and keeps it."""
import contextlib
import io
import json
import os
import tarfile
import time
from urllib.parse import quote

import helpers
import load
import pytest
import requests
from service import Service

from test_session_files import Files

PROOF = os.environ.get("SANDBOX_TEST_PROOF") == "all"
TREES, SECONDS = (100, 60.0) if PROOF else (25, 1.0)
TOLD = {200, 403, 404, 409, 413, 422, 429}

# Each tree is drawn from its number. Prints what it made: {tree: {name in percent form: type}}.
MAKE = r"""
import json, os, random, socket, stat, sys
from urllib.parse import quote
NAMES = [b'\xff\xfe', b'a\nb', b'\x1b[2J', b'-rf', b' ', b'%2e%2e', b'\\', b'..\xc0\xaf', b'x' * 255,
         '\u202e\u0301é'.encode(),
         b'"', b'<script>', b'.sandbox-upload-0000000000000000', b'...', b'\r', b'con\t', b'\x7f']
LINKS = [b'/etc/passwd', b'../../../../../../etc/passwd', b'loop', b'.', b'..', b'/proc/self/mem', b'/proc/self/fd/0',
         b'/code', b'/', b'nowhere', b'\xff', b'/' * 300 + b'etc/passwd', b'a/' * 1000 + b'b']
made = {}
def name(r, at):
    n = r.choice(NAMES)
    while os.path.lexists(os.path.join(at, n)):
        n = (b'%d' % r.randrange(1 << 30)) + n[:200]
    return n
def one(r, at):
    path = os.path.join(at, name(r, at))
    kind = r.choice('file file link link fifo socket device shut setuid hard sparse directory'.split())
    try:
        if kind == 'link': os.symlink(r.choice(LINKS), path)
        elif kind == 'fifo': os.mkfifo(path, r.choice([0o600, 0]))
        elif kind == 'socket':
            os.chdir(at)
            with socket.socket(socket.AF_UNIX) as s: s.bind(os.path.basename(path)[:90])
            if len(os.path.basename(path)) > 90: return
        elif kind == 'device': os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(0, 0))
        elif kind == 'directory': os.mkdir(path)
        else:
            with open(path, 'wb') as f:
                f.write(b'own %d' % r.randrange(10))
                if kind == 'sparse': f.truncate(1 << 20)
            if kind == 'shut': os.chmod(path, 0); kind = 'file'
            if kind == 'setuid': os.chmod(path, 0o6777)
            if kind == 'hard': os.link(path, os.path.join(at, b'hard%d' % r.randrange(1 << 30)))
    except OSError as e:
        return  # not permitted inside: a device
    made[path] = {'setuid': 'file', 'hard': 'file', 'sparse': 'file'}.get(kind, kind)
os.makedirs(b'/workspace/trees')
for n in range(int(sys.argv[1])):
    r, at = random.Random(n), b'/workspace/trees/%d' % n
    os.mkdir(at)
    for _ in range(r.randrange(1, 12)): one(r, at)
    if n % 10 == 0:  # deep
        here = at
        for level in range(r.choice([20, 62, 63, 64, 65, 90])):
            here = os.path.join(here, b'd')
            os.mkdir(here)
        made[os.path.join(at, b'd')] = 'directory'
        one(r, here)
    if n % 10 == 5:  # shut
        os.mkdir(os.path.join(at, b'shut')); open(os.path.join(at, b'shut/in'), 'w').close()
        os.chmod(os.path.join(at, b'shut'), r.choice([0, 0o111, 0o444])); made[os.path.join(at, b'shut')] = 'directory'
print(json.dumps({quote(os.path.relpath(p, b'/workspace/trees')): k for p, k in made.items()}))
"""

# Swaps files, links, fifos and directories for each other until it is told to end.
SWAP = r"""
import ctypes, os
c, AT, EXCHANGE = ctypes.CDLL(None), -100, 2
os.makedirs('/tmp/outside', exist_ok=True)
open('/tmp/outside/file', 'w').write('outside')
os.makedirs('/workspace/race/real/deep/er'); os.chdir('/workspace/race')
for n in ('real', 'real/deep', 'real/deep/er'): open(n + '/file', 'w').write('inside')
os.symlink('/tmp/outside', 'link'); os.symlink('real', 'own'); os.mkfifo('fifo'); open('file', 'w').write('inside')
os.symlink('/tmp/outside/file', 'far'); os.mkdir('other')
names = [b'real', b'link', b'own', b'fifo', b'file', b'far', b'other', b'real/deep', b'other/deep']
pairs = [(a, b) for a in names for b in names if a < b]
open('/workspace/up', 'w').close()
n = 0
while not os.path.exists('/workspace/over'):
    for a, b in pairs:
        c.renameat2(AT, a, AT, b, EXCHANGE)
    n += len(pairs)
print(n)
"""


@pytest.fixture(scope="module")
def service():
    with Service({**load.UNLIMITED}) as s:
        yield s


def archive(session, path):
    """-> TarFile of what came, however it ended; None where it was refused"""
    answer = session.ask("GET", "/archive/" + path, stream=True)
    assert answer.status_code in TOLD, answer.text
    if answer.status_code != 200:
        return None
    data = b""
    with contextlib.suppress(requests.exceptions.RequestException):  # broken off: it could not be told whole
        for part in answer.iter_content(65536):
            data += part
    answer.close()
    return data


def check_archive(data):
    """-> how many entries; nothing in it is other than the code's own"""
    count = 0
    source = {"fileobj": io.BytesIO(data), "errorlevel": 2, "encoding": "latin-1"}
    with contextlib.suppress(tarfile.ReadError), tarfile.open(**source) as t:
        for entry in t:
            count += 1
            assert not entry.name.startswith("/") and ".." not in entry.name.split("/"), entry.name
            assert entry.isfile() or entry.isdir() or entry.issym(), (entry.name, entry.type)
            assert not entry.mode & 0o7000, "%s has %o" % (entry.name, entry.mode)
            if entry.isfile() and entry.offset_data + entry.size <= len(data):
                assert t.extractfile(entry).read(7)[:3] in (b"own", b"", b"ins", b"put"), entry.name
    return count


def test_hostile_trees_are_told_as_what_they_are(service):
    session = Files(service)
    made = json.loads(session.run(language="python", code=MAKE, args=[str(TREES)])["stdout"])
    for n in range(TREES):
        answer = session.file("GET", "trees/%d?list&depth=64" % n)
        assert answer.status_code == 200, answer.text
        told = {"%d/" % n + (e.get("name_encoded") or quote(e["name"])): e for e in answer.json()["entries"]}
        mine = {name: kind for name, kind in made.items() if name.startswith("%d/" % n)}
        shallow = {name: kind for name, kind in mine.items() if name.count("/") == 1}
        assert {name: told.get(name, {}).get("type") for name in shallow} == shallow, n
        for name, kind in mine.items():
            answer = session.file("GET", "trees/" + name)
            assert answer.status_code in TOLD, (name, answer.text)
            assert answer.status_code != 200 or answer.content.startswith(b"own") or kind == "link", (name, kind)
            assert b"root:" not in answer.content and b"\x7fELF" not in answer.content, name
        check_archive(archive(session, "trees/%d" % n) or b"")
    answer = session.ask("POST", "/snapshots")  # of directories that are shut: it says so, and keeps nothing
    assert answer.status_code in (403, 422) and "trees/" in answer.json()["error"]["message"], answer.text
    assert session.run("chmod -R u+rwX trees; rm -rf trees/*0; true")["reason"] == "completed"  # *0: too deep
    assert session.ask("POST", "/snapshots").status_code == 201
    session.ask("DELETE")


def test_a_tree_that_changes_while_the_service_walks_it(service):
    session, seen = Files(service), {}
    job = session.answer(language="python", code=SWAP, background=True).json()["execution_id"]
    assert not helpers.poll(lambda: session.file("GET", "up?stat").status_code != 200, 120)

    def ask(what, method, path, **more):
        answer = session.file(method, path, **more)
        assert answer.status_code in TOLD | {201}, (method, path, answer.status_code, answer.text)
        seen[what, answer.status_code] = seen.get((what, answer.status_code), 0) + 1
        return answer

    until, n = time.monotonic() + SECONDS, 0
    while time.monotonic() < until or n < 10:
        n += 1
        for at in ("file", "real/file", "own/file", "real/deep/file", "far", "fifo"):
            got = ask("get", "GET", "race/" + at)
            assert got.status_code != 200 or got.content in (b"inside", b"put"), (at, got.content)
            ask("stat", "GET", "race/" + at + "?stat")
            ask("put", "PUT", "race/" + at, data=b"put")
        ask("list", "GET", "race?list&depth=9")
        ask("mkdir", "POST", "race/link/made?mkdir")
        ask("move", "POST", "race/file?move=race/link/moved&replace")
        ask("remove", "DELETE", "race/own/file")
        check_archive(archive(session, "race") or b"")
        if n % 10 == 1:
            made = session.ask("POST", "/snapshots")
            assert made.status_code in (201, 409, 422, 503), made.text
    outside = session.run("touch over; find /tmp/outside -type f -exec cat {} +; ls /tmp/outside")
    assert outside["stdout"] == "outsidefile\n", outside
    assert int(service.finished(job, key=session.key)["result"]["stdout"]) > 1000
    assert {what for what, status in seen if status in (200, 201)} >= {"get", "stat", "put", "list"}, seen
    print(seen, n)
    session.ask("DELETE")
