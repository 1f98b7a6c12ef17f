"""Builds of package sets that fail: hostile scripts, a poisoned index, a full disk, a killed builder, other owners"""
import json
import os
import shutil
import subprocess

from helpers import is_root, poll, skip
from package_index import archive, index, wheel  # noqa: F401


BACKEND = """
import json, os, socket, zipfile
def tried(name, do):
    try: seen[name] = repr(do())
    except Exception as e: seen[name] = type(e).__name__
def connect(host, port):
    with socket.create_connection((host, port), 5): return 'connected'
seen = {}
def build_wheel(directory, *_):
    tried('shadow', lambda: open('/etc/shadow').read())
    tried('home', lambda: os.listdir('%(home)s'))
    tried('write', lambda: open('/usr/lib/python3/dist-packages/evil.pth', 'w'))
    tried('other host', lambda: connect('far.test', 80))
    tried('other port', lambda: connect('four.good.test', 8080))
    tried('index', lambda: connect('four.good.test', 80))
    %(more)s
    info = 'ourthing-1.0.dist-info/'
    with zipfile.ZipFile(os.path.join(directory, 'ourthing-1.0-py3-none-any.whl'), 'w') as z:
        z.writestr('ourthing.py', 'seen = ' + repr(seen))
        z.writestr(info + 'METADATA', 'Metadata-Version: 2.1\\nName: ourthing\\nVersion: 1.0\\n')
        z.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\\nGenerator: t\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
        z.writestr(info + 'RECORD', ''.join(n + ',,\\n' for n in z.namelist()))
    return 'ourthing-1.0-py3-none-any.whl'
"""


def source(index, more="pass"):
    """An archive whose setup script attacks, in place of a wheel."""
    shutil.rmtree(index.files / "simple", ignore_errors=True)
    index.add("ourthing", "ourthing-1.0.tar.gz", archive({
        "ourthing-1.0/pyproject.toml":
            "[build-system]\nrequires = []\nbuild-backend = 'backend'\nbackend-path = ['.']\n",
        "ourthing-1.0/PKG-INFO": "Metadata-Version: 2.1\nName: ourthing\nVersion: 1.0\n",
        "ourthing-1.0/backend.py": BACKEND % {"home": index.box.dir, "more": more}}))


def test_a_setup_script_runs_only_if_asked_for_and_reaches_the_index_alone(index):
    source(index)
    done = index.create("science", "ourthing\n")
    assert done.code == 1 and b"--source" in done.err and index.names() == [], done
    index.made("science", "ourthing\n", "--source")
    code = "import json, ourthing; print(json.dumps(ourthing.seen))"
    seen = json.loads(index.box.run("python", code, level="low",
                                    options=["--packages", "science"]).text)
    assert seen.pop("index") == "'connected'" and seen.pop("home") == "FileNotFoundError"
    assert set(seen.values()) <= {"FileNotFoundError", "PermissionError", "OSError", "gaierror"}, seen
    # what it leaves in the set is looked at: a link out of it, and what is no file
    for more, word in (("os.symlink('/etc/passwd', '/workspace/set/passwd')", b"leads out"),
                       ("os.mkfifo('/workspace/set/fifo')", b"neither a file")):
        source(index, more)
        done = index.create("more", "ourthing\n", "--source")
        assert done.code == 1 and word in done.err, done
    assert index.names() == ["science"] and index.left() == [] and len(os.listdir(index.place / "trees")) == 1


def test_a_poisoned_index_and_a_set_that_is_too_large_leave_nothing(index):
    name, content = wheel({"ourthing.py": "answer = 1\n"})
    index.add("ourthing", name, content, sha256="1" * 64)
    done = index.create("science", "ourthing==1.0\n")
    assert done.code == 1 and b"do not trust it" in done.err, done
    index.wheel({"ourthing.py": "answer = 1\n", "large": os.urandom(3 << 20)})
    index.configure(max_size="1m")
    logs, elsewhere = index.box.logs(), index.box.dir / "elsewhere"
    config = next(p for p in index.box.dir.rglob("config.yaml") if "1m" in p.read_text())
    other = index.box.file("other.yaml", config.read_text().replace(str(index.box.log_dir), str(elsewhere)))
    done = index.create("science", "ourthing==1.0\n", "--config", other)
    assert index.box.logs() == logs and (elsewhere / "audit.jsonl").exists(), done
    assert done.code == 1 and b"packages.max_size" in done.err, done
    assert index.names() == [] and index.left() == [] and os.listdir(index.place / "trees") == []


def test_a_full_disk_is_told_and_leaves_nothing(index):
    if not is_root():
        skip("a disk that is full is a mount of root's")
    index.wheel({"ourthing.py": "answer = 1\n", "large": os.urandom(3 << 20)})
    state = index.box.dir / "state"
    small = ["unshare", "--mount", "--", "sh", "-c", "mount -t tmpfs -o size=2m none %s && \"$@\"; code=$?; "
             "ls %s/sandbox-agent/packages/*; exit $code" % (state, state), "sh"]
    index.box.prefix = [*index.box.prefix, *small]
    done = index.create("science", "ourthing==1.0\n")
    assert done.code == 125 and b"No space left" in done.err and b"make room" in done.err, done
    assert not [l for l in done.text.splitlines() if l and not l.endswith((":", "/lock"))], done


def test_two_builds_of_one_name_and_one_that_is_killed(index):
    source(index, "import time; time.sleep(3600)")
    index.online.world.log()
    first = index.box.start("packages", "create", "science", "--source", "--python",
                            index.box.file("first", "ourthing\n"))
    seen = []  # it has the archive
    assert not poll(lambda: seen.extend(index.online.world.log("http"))
                    or not any("tar.gz" in l.get("path", "") for l in seen), 60)
    done = index.create("science", "ourthing\n", "--source")
    assert done.code == 123 and b"under way" in done.err, done
    first.process.kill()  # SIGKILL
    first.process.communicate()
    assert index.left() == ["science"] and index.names() == []
    shutil.rmtree(index.files / "simple")
    index.wheel({"ourthing.py": "answer = 1\n"})
    index.made("science", "ourthing\n")
    assert index.names() == ["science"] and index.left() == []


def test_names_belong_to_their_owners_and_trees_go_when_nothing_needs_them(index):
    index.wheel({"ourthing.py": "answer = 1\n", "later.py": "answer = 2\n"})
    tree = index.made("science", "ourthing\n")["tree"]
    code = "import sys; print('ready', flush=True); sys.stdin.read(1); import later; print(later.answer)"
    live = index.box.live("python", code, level="low", stdin=subprocess.PIPE,
                          options=["--packages", "science", "--stdin", "-"])
    assert index.box.agent("packages", "remove", "science").code == 0
    assert index.names() == [] and os.listdir(index.place / "trees") == [tree]
    live.process.stdin.write(b"x")
    assert live.finish().text.split()[-1] == "2"
    index.made("science", "ourthing\n")
    file = index.place / "sets/science.json"
    file.write_text(file.read_text().replace('"owner":"uid:%d"' % os.getuid(), '"owner":"key:another"'))
    done = index.create("science", "ourthing\n")
    assert done.code == 123 and b"taken" in done.err, done
    file.write_text("{")
    index.box.run("python", "1", level="low", options=["--packages", "science"]).refused(125, "damaged", "remedy: ")
    assert index.box.agent("packages", "remove", "science").code == 0
    assert index.names() == [] and os.listdir(index.place / "trees") == []
