"""What ./try and ./check do before they build: scripts/packages.sh and scripts/fetch_grammars.py, with stand-ins for
apt-get, npm and a registry."""
import base64
import functools
import hashlib
import http.server
import io
import json
import os
import shutil
import subprocess
import tarfile
import threading

import pytest
from helpers import ROOT, skip

FETCH = ROOT / "scripts/fetch_grammars.py"
PACKAGES = ROOT / "scripts/packages.sh"


def tools(tmp_path, **scripts):
    """A PATH with these scripts and the few programs that ours need."""
    place = tmp_path / "bin"
    place.mkdir()
    for name in ("sh", "env", "date", "id", "rm", "chmod", "dpkg-deb", "tar", "cat"):
        if shutil.which(name):
            (place / name).symlink_to(shutil.which(name))
    for name, script in scripts.items():
        (place / name.replace("_", "-")).write_text("#!/bin/sh\n" + script)
        (place / name.replace("_", "-")).chmod(0o755)
    return str(place)


# ---- apt ----

def install(tmp_path, apt, patience=600):
    if not PACKAGES.exists():
        skip("scripts/ is not in this copy of the tree")
    path = tools(tmp_path, apt_get=apt, sudo='exec "$@"', sleep="echo slept >>%s/slept" % tmp_path)
    done = subprocess.run(["/bin/sh", "-euc", '. "$0"; missing=" made-up"; install_needed; echo installed', PACKAGES],
                          cwd=tmp_path, capture_output=True, text=True,
                          env={"PATH": path, "LOCK_PATIENCE": str(patience)}, timeout=60)
    slept = (tmp_path / "slept").read_text().count("slept") if (tmp_path / "slept").exists() else 0
    return done, slept


LOCKED = 'echo "E: Could not get lock /var/lib/%s/lock. It is held by process 123 (apt)" >&2; exit 100'


@pytest.mark.parametrize("place", ["apt/lists", "dpkg", "../cache/apt/archives"])
def test_a_held_package_lock_is_waited_for(tmp_path, place):
    count = ('echo x >>"%s/calls"; [ $(cat "%s/calls" | { n=0; while read l; do n=$((n+1)); done; echo $n; }) -gt 3 ] '
             '|| { %s; }' % (tmp_path, tmp_path, LOCKED % place))
    done, slept = install(tmp_path, count)
    assert (done.returncode, done.stdout) == (0, "installing: made-up\ninstalled\n"), done
    assert slept == 3 and done.stderr == "waiting for another program that installs packages\n", done


def test_a_lock_that_stays_is_said(tmp_path):
    done, _ = install(tmp_path, LOCKED % "dpkg", patience=0)
    assert (done.returncode and "held by process 123" in done.stderr and "try again" in done.stderr
            and "installed\n" not in done.stdout)


def test_any_other_failure_of_apt_is_shown_at_once(tmp_path):
    done, slept = install(tmp_path, 'echo "E: Unable to locate package made-up" >&2; exit 100')
    assert done.returncode and "Unable to locate package made-up" in done.stderr and not slept


def test_apt_waits_for_dpkg_itself(tmp_path):
    done, _ = install(tmp_path, 'echo "$@" >>%s/words' % tmp_path)
    assert done.returncode == 0
    assert all("-o DPkg::Lock::Timeout=" in line for line in (tmp_path / "words").read_text().splitlines())


# ---- grammars ----

def tarball(files):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            if text is None:
                member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
                tar.addfile(member)
            else:
                member.size = len(text)
                tar.addfile(member, io.BytesIO(text.encode()))
    return out.getvalue()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        name = self.path.strip("/").split("/")[-1]
        self.server.seen.append((self.path, self.headers.get("Authorization")))
        data = self.server.files.get(name)
        self.send_response(200 if data is not None else 404)
        self.end_headers()
        self.wfile.write(data or b"")

    def log_message(self, *words):
        pass


class World:
    """A checkout with one grammar in its lock, and a registry that has it."""

    def __init__(self, place, files):
        self.top, self.home, self.seen = place / "top", place / "home", []
        self.top.mkdir()
        self.home.mkdir()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.seen = self.seen
        self.url = "http://127.0.0.1:%d/npm" % self.server.server_port
        packed = tarball(files)
        about = {"versions": {"1.0.0": {"dist": {"tarball": self.url + "/grammar.tgz"}}}}
        self.server.files = {"tree-sitter-bash": json.dumps(about).encode(), "grammar.tgz": packed}
        self.lock("sha512-" + base64.b64encode(hashlib.sha512(packed).digest()).decode())
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def lock(self, integrity):
        (self.top / "package-lock.json").write_text(json.dumps({"lockfileVersion": 3, "packages": {
            "": {"dependencies": {"tree-sitter-bash": "1.0.0"}},
            "node_modules/tree-sitter-bash": {"version": "1.0.0", "integrity": integrity}}}))

    def fetch(self, path="/nonexistent", **env):
        if not FETCH.exists():
            skip("scripts/ is not in this copy of the tree")
        return subprocess.run(["/usr/bin/python3", FETCH, self.top], env={"PATH": path, "HOME": str(self.home), **env},
                              capture_output=True, text=True, timeout=100)

    @functools.cached_property
    def module(self):
        return self.top / "node_modules/tree-sitter-bash"


GOOD = {"package/src/parser.c": "int parser;", "package/src/tree_sitter/parser.h": "", "package/LICENSE": "MIT",
        "package/binding.gyp": "no", "package/index.js": "no"}


@pytest.fixture
def world(tmp_path):
    w = World(tmp_path, GOOD)
    yield w
    w.server.shutdown()
    w.server.server_close()


@pytest.mark.parametrize("how", ["environment", "upper case", "user", "project", "another user file"])
def test_the_registry_that_is_set_is_asked_and_only_sources_are_taken(world, how):
    env = {"environment": {"npm_config_registry": world.url}, "upper case": {"NPM_CONFIG_REGISTRY": world.url + "/"},
           "another user file": {"NPM_CONFIG_USERCONFIG": str(world.home / "rc")}}.get(how, {})
    for name, place in (("user", world.home / ".npmrc"), ("project", world.top / ".npmrc"),
                        ("another user file", world.home / "rc")):
        if name == how:
            place.write_text("; a comment\nregistry = \"%s\"\n//127.0.0.1:%d/npm/:_authToken=${TOKEN}\n"
                             % (world.url, world.server.server_port))
    done = world.fetch(TOKEN="s3cret", **env)
    assert done.returncode == 0, done
    assert sorted(str(p.relative_to(world.module)) for p in world.module.rglob("*")
                  if p.is_file()) == ["LICENSE", "src/parser.c", "src/tree_sitter/parser.h"]
    assert (world.top / "node_modules/.stamp").exists()
    expected = "Bearer s3cret" if how in ("user", "project", "another user file") else None
    assert [a for _, a in world.seen] == [expected] * 2 and "s3cret" not in done.stdout + done.stderr


def test_what_has_another_hash_is_refused(world):
    world.lock("sha512-" + base64.b64encode(hashlib.sha512(b"another").digest()).decode())
    done = world.fetch(NPM_CONFIG_REGISTRY=world.url)
    assert done.returncode == 1 and "tree-sitter-bash" in done.stderr and "SHA-512" in done.stderr
    assert not world.module.exists() and not (world.top / "node_modules/.stamp").exists()


@pytest.mark.parametrize("integrity", ["", "sha1-AAAA", "sha512-%%%"])
def test_a_lock_without_a_good_hash_is_refused(world, integrity):
    world.lock(integrity)
    assert world.fetch(NPM_CONFIG_REGISTRY=world.url).returncode == 1 and not world.module.exists()


@pytest.mark.parametrize("evil",
                         [{"../../outside/src/x.c": "x"}, {"package/src/../../../x.c": "x"}, {"/src/x.c": "x"},
                          {"package/src/link.c": None}])
def test_a_package_cannot_write_elsewhere(tmp_path, evil):
    w = World(tmp_path, {**GOOD, **evil})
    try:
        assert w.fetch(NPM_CONFIG_REGISTRY=w.url).returncode == 0
        assert {p.name for p in tmp_path.rglob("*.c")} == {"parser.c"}
        assert not [p for p in w.top.rglob("*") if p.is_symlink()]
    finally:
        w.server.shutdown()
        w.server.server_close()


def test_a_registry_that_has_it_not_is_named(world):
    world.server.files.clear()
    done = world.fetch(NPM_CONFIG_REGISTRY=world.url)
    assert done.returncode == 1 and world.url in done.stderr and "404" in done.stderr


def test_without_a_setting_npms_own_default_is_read_from_debians_package(world, tmp_path):
    if not shutil.which("dpkg-deb"):
        skip("dpkg-deb is not installed")
    tree = tmp_path / "npm"
    (tree / "DEBIAN").mkdir(parents=True)
    (tree / "DEBIAN/control").write_text("Package: npm\nVersion: 1\nArchitecture: all\nMaintainer: a <a@example.org>\n"
                                         "Description: a\n")
    defaults = tree / "usr/share/nodejs/npm/node_modules/npm-registry-fetch/lib/default-opts.js"
    defaults.parent.mkdir(parents=True)
    # no server: the address that is asked is what matters
    defaults.write_text("module.exports = {\n  registry: 'https://127.0.0.1:9/',\n}\n")
    subprocess.run(["dpkg-deb", "-b", "--root-owner-group", tree, tmp_path / "npm_1_all.deb"], check=True,
                   stdout=subprocess.DEVNULL)
    done = world.fetch(path=tools(tmp_path,
                                  apt_get='[ "$*" = "download -q npm" ] && cat %s/npm_1_all.deb >npm_1_all.deb'
                                  % tmp_path))
    if os.path.exists("/usr/share/nodejs/npm"):
        skip("npm is installed: its default is read from there")
    assert done.returncode == 1 and "https://127.0.0.1:9/tree-sitter-bash" in done.stderr, done
    done = world.fetch(path=tools(tmp_path / "home", apt_get="echo no network >&2; exit 1"))
    assert done.returncode == 1 and "no registry is set" in done.stderr and "no network" in done.stderr


def test_npm_does_it_where_it_is_and_its_error_is_seen(world, tmp_path):
    done = world.fetch(path=tools(tmp_path, npm='echo "$@" >words'))
    assert done.returncode == 0 and not world.seen
    words = (world.top / "words").read_text()
    assert words.startswith("ci ") and "--ignore-scripts" in words and "--silent" not in words
    done = world.fetch(path=tools(tmp_path / "home", npm="echo npm ERR code E401 >&2; exit 1"),
                       NPM_CONFIG_REGISTRY=world.url)
    assert done.returncode == 0 and "npm ERR code E401" in done.stderr and (world.module / "src/parser.c").exists()


def test_a_build_without_grammars_says_so_at_the_end_of_try(tmp_path):
    if not PACKAGES.exists():
        skip("scripts/ is not in this copy of the tree")
    for name in ("go", "rust"):
        (tmp_path / ("node_modules/tree-sitter-%s/src" % name)).mkdir(parents=True)
        (tmp_path / ("node_modules/tree-sitter-%s/src/parser.c" % name)).touch()

    def say():
        return subprocess.run(["/bin/sh", "-euc", '. "$0"; say_grammars', PACKAGES], cwd=tmp_path, capture_output=True,
                              text=True, check=True).stdout
    assert "no grammar of: bash javascript python." in say() and "scripts/fetch_grammars.py" in say()
    for name in ("bash", "javascript", "python"):
        (tmp_path / ("node_modules/tree-sitter-%s/src" % name)).mkdir(parents=True)
        (tmp_path / ("node_modules/tree-sitter-%s/src/parser.c" % name)).touch()
    assert say() == ""
    assert (ROOT / "try").read_text().rstrip().endswith("say_grammars")
