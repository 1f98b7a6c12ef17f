"""package_index.py - an index and a registry of the small Internet (net/), and sets that are built from them"""
import base64
import hashlib
import io
import json
import os
import shutil
import subprocess
import tarfile
import zipfile

import pytest
from helpers import skip

HOST = "four.good.test"


def wheel(files, name="ourthing", version="1.0", tag="py3-none-any", license="MIT", description=""):
    """-> file name, content"""
    info = "%s-%s.dist-info/" % (name, version)
    about = "Metadata-Version: 2.1\nName: %s\nVersion: %s\nLicense: %s\n\n%s" % (name, version, license, description)
    files = {**files, info + "METADATA": about,
             info + "WHEEL": "Wheel-Version: 1.0\nGenerator: a test\nRoot-Is-Purelib: true\nTag: %s\n" % tag}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        for path, content in files.items():
            z.writestr(path, content)
        z.writestr(info + "RECORD", "".join("%s,,\n" % n for n in [*files, info + "RECORD"]))
    return "%s-%s-%s.whl" % (name, version, tag), out.getvalue()


def archive(files):
    """-> the bytes of a .tar.gz"""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as t:
        for path, content in files.items():
            data = content.encode()
            entry = tarfile.TarInfo(path)
            entry.size, entry.mode = len(data), 0o644
            t.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def registry(index, integrity=None, scripts=True):
    """One package, whose postinstall script would leave a file."""
    package = {"name": "ourthing", "version": "1.0.0", "main": "index.js", "license": "ISC",
               "scripts": {"postinstall": "touch ran"} if scripts else {}}
    tarball = archive({"package/package.json": json.dumps(package), "package/index.js": "exports.answer = 42;\n"})
    place = index.files / "npm" / "ourthing"
    place.mkdir(parents=True, exist_ok=True)
    (place / "ourthing-1.0.0.tgz").write_bytes(tarball)
    dist = {"tarball": "http://%s/files/npm/ourthing/ourthing-1.0.0.tgz" % HOST,
            "integrity": integrity or "sha512-" + base64.b64encode(hashlib.sha512(tarball).digest()).decode()}
    (place / "index.html").write_text(json.dumps({"name": "ourthing", "dist-tags": {"latest": "1.0.0"},
                                                  "versions": {"1.0.0": {**package, "dist": dist}}}))


class Index:
    """A simple index and a registry, and sets that are built from them."""

    def __init__(self, online):
        self.online, self.box = online, online.box
        self.files = online.world.dir / "files"
        shutil.rmtree(self.files, ignore_errors=True)
        self.configure()

    def configure(self, scans=False, **packages):
        self.box.user_config({"sandbox": {"resolvers": [self.online.world.resolver]},
                              "agixt": {"analysis": {"enabled": scans}},
                              "packages": {"python_index": "http://%s/files/simple" % HOST,
                                           "node_registry": "http://%s/files/npm" % HOST, "hosts": [], **packages}})

    def add(self, name, filename, content, sha256=None):
        place = self.files / "simple" / name
        place.mkdir(parents=True, exist_ok=True)
        (place / filename).write_bytes(content)
        hash_of = lambda f: sha256 or hashlib.sha256(f.read_bytes()).hexdigest()
        links = ["<a href='%s#sha256=%s'>%s</a>" % (f.name, hash_of(f), f.name) for f in place.iterdir()
                 if f.name != "index.html"]
        (place / "index.html").write_text("<!DOCTYPE html><html><body>%s</body></html>" % "".join(links))

    def wheel(self, files, name="ourthing", **more):
        self.add(name, *wheel(files, name, **more))

    def create(self, name, requirements, *options, kind="--python", **more):
        return self.box.agent("packages", "create", name, kind, self.box.file("request", requirements), *options,
                              patience=180, **more)

    def made(self, name, requirements, *options, **more):
        done = self.create(name, requirements, *options, "--json", **more)
        assert done.code == 0, done
        return json.loads(done.text)

    def show(self, name):
        done = self.box.agent("packages", "show", name, "--json")
        assert done.code == 0, done
        return json.loads(done.text)

    def names(self):
        done = self.box.agent("packages", "list", "--json")
        assert done.code == 0, done
        return [s["name"] for s in json.loads(done.text)]

    @property
    def place(self):
        return self.box.dir / "state/sandbox-agent/packages"

    def left(self):
        """What builds have left beside sets and trees: nothing."""
        return sorted(os.listdir(self.place / "building")) if self.place.exists() else []


@pytest.fixture
def index(online):
    has_pip = subprocess.run(["/usr/bin/python3", "-I", "-c", "import pip"], stderr=subprocess.DEVNULL, check=False)
    if has_pip.returncode:
        skip("pip is not installed (apt-get install python3-pip)")
    return Index(online)
