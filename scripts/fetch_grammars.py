#!/usr/bin/python3
"""Fetches the grammars of the scan: the C sources of the packages that package.json names, at the versions and with the
hashes of package-lock.json. Nothing of a package is executed.

    scripts/fetch_grammars.py [DIRECTORY]      default: the checkout; fills DIRECTORY/node_modules as npm would

Where npm is installed, npm does it (`npm ci --ignore-scripts`). Debian's npm needs 335 further packages, so where it is
not, this does: it reads npm's settings (NPM_CONFIG_*, .npmrc, ~/.npmrc, /etc/npmrc: registry, cafile, strict-ssl,
https-proxy, noproxy, _authToken, _auth), asks the registry for each package, and keeps what has the lock's SHA-512.
Without a setting the registry is npm's own default, which is read from Debian's package of npm: it is downloaded (0.7
MB), not installed.
"""
import base64
import binascii
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import ssl
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

PATIENCE = 30  # seconds for each answer
TRIES = 3
MAX_BYTES = 64 << 20  # the largest grammar has 4 MB packed
DEFAULTS_OF_NPM = "usr/share/nodejs/npm/node_modules/npm-registry-fetch/lib/default-opts.js"
CA_FILE = "/etc/ssl/certs/ca-certificates.crt"


class Failed(Exception):
    pass


# ---- npm's settings ----

def read_rc(path):
    """An ini file without sections, with ${VARIABLE}."""
    found = {}
    try:
        text = pathlib.Path(path).expanduser().read_text(encoding="utf-8", errors="replace")
    except OSError:
        return found
    for line in text.splitlines():
        key, equals, value = line.strip().partition("=")
        if equals and not key.startswith(("#", ";")):
            value = re.sub(r"\$\{(\w+)\}", lambda m: os.environ.get(m.group(1), m.group(0)), value.strip())
            found[key.strip()] = (value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
                                  else value)
    return found


def settings(top):
    """Later ones win, as in npm: the machine's, the user's, the project's, the environment's."""
    own = {k[len("npm_config_"):].lower().replace("_", "-"): v
           for k, v in os.environ.items() if k.lower().startswith("npm_config_") and v}
    found = {}
    for path in (own.get("globalconfig", "/etc/npmrc"), own.get("userconfig", "~/.npmrc"), top / ".npmrc"):
        found.update(read_rc(path))
    found.update(own)
    return found


def default_registry():
    """npm's own default, by the package that Debian has of it."""
    installed = pathlib.Path("/") / DEFAULTS_OF_NPM
    if installed.exists():
        return registry_in(installed.read_text())
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o755)
        done = subprocess.run(["apt-get", "download", "-q", "npm"], cwd=place, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        packages = list(pathlib.Path(place).glob("npm_*.deb"))
        if not packages:
            raise Failed("no registry is set, and Debian's package of npm, which knows the default, could not be "
                         "downloaded:\n%s" % done.stdout.strip())
        packed = subprocess.run(["dpkg-deb", "--fsys-tarfile", packages[0]], stdout=subprocess.PIPE, check=True).stdout
        with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
            names = [name for name in tar.getnames() if name.endswith(DEFAULTS_OF_NPM)]
            if not names:
                raise Failed("no registry is set, and %s does not name a default" % packages[0].name)
            return registry_in(tar.extractfile(names[0]).read().decode())


def registry_in(text):
    found = re.search(r"registry:\s*['\"](https://[^'\"]+)['\"]", text)
    if not found:
        raise Failed("no registry is set, and npm's default could not be read")
    return found.group(1)


# ---- the registry ----

class Registry:
    def __init__(self, given):
        self.given, self.url = given, (given.get("registry") or default_registry()).rstrip("/") + "/"
        if not self.url.startswith(("https://", "http://")):
            raise Failed("the registry %r is no address that begins with https:// or http://" % self.url)
        self.opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=self._trust()), self._proxies())

    def _trust(self):
        if self.given.get("strict-ssl") == "false":
            return ssl._create_unverified_context()  # what comes is compared with the lock's hash in any case
        context = ssl.create_default_context()
        for path in (self.given.get("cafile"), CA_FILE):
            if path and os.path.exists(path):
                context.load_verify_locations(path)
        return context

    def _proxies(self):
        found = urllib.request.getproxies()
        for key, scheme in (("proxy", "http"), ("https-proxy", "https")):
            if self.given.get(key):
                found[scheme] = self.given[key]
        if self.given.get("proxy") and "https" not in found:
            found["https"] = self.given["proxy"]
        if self.given.get("noproxy"):
            os.environ["no_proxy"] = self.given["noproxy"]  # urllib reads it from there
        return urllib.request.ProxyHandler(found)

    def _secret(self, url):
        """Of this registry's host only, as npm does it."""
        for key, value in self.given.items():
            place, _, name = key.rpartition(":")
            if place and url.split(":", 1)[1].startswith(place) and value:
                if name == "_authToken":
                    return "Bearer " + value
                if name == "_auth":
                    return "Basic " + value
        return None

    def get(self, url, accept="*/*"):
        request = urllib.request.Request(url, headers={"Accept": accept, "User-Agent": "sandbox-agent-grammars"})
        if self._secret(url):
            request.add_unredirected_header("Authorization", self._secret(url))
        for left in reversed(range(TRIES)):
            try:
                with self.opener.open(request, timeout=PATIENCE) as answer:
                    data = answer.read(MAX_BYTES + 1)
                if len(data) > MAX_BYTES:
                    raise Failed("%s: more than %d MiB" % (url, MAX_BYTES >> 20))
                return data
            except (urllib.error.URLError, OSError) as e:
                if not left or getattr(e, "code", 500) in (401, 403, 404):
                    raise Failed("%s: %s" % (url, e)) from None
                time.sleep(TRIES - left)

    def tarball(self, name, version):
        about = json.loads(self.get(self.url + urllib.parse.quote(name, safe="@"),
                                    "application/vnd.npm.install-v1+json, application/json"))
        try:
            return self.get(about["versions"][version]["dist"]["tarball"])
        except KeyError:
            raise Failed("%s has no %s %s" % (self.url, name, version)) from None


# ---- packages ----

def check(data, integrity, name):
    for word in integrity.split():
        kind, _, digest = word.partition("-")
        if kind == "sha512":
            if hashlib.sha512(data).digest() == base64.b64decode(digest, validate=True):
                return
            raise Failed("%s: what came has not the SHA-512 of package-lock.json: refused" % name)
    raise Failed("%s: package-lock.json has no SHA-512 of it" % name)


def unpack(data, name, target):
    """The sources and what says whose they are. A path that leads out, a link or anything but a file is not taken."""
    wanted = re.compile(r"[^/]+/((?:src|common)/[\w./-]+\.[ch]|LICENSE|package\.json)")
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        for member in tar:
            path = wanted.fullmatch(member.name)
            if not path or not member.isreg() or ".." in member.name.split("/"):
                continue
            place = target / path.group(1)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(tar.extractfile(member).read())
    if not (target / "src/parser.c").exists():
        raise Failed("%s has no src/parser.c" % name)


def fetch(top):
    packages = json.loads((top / "package-lock.json").read_text())["packages"]
    registry = Registry(settings(top))
    for name in packages[""]["dependencies"]:
        if not name.startswith("tree-sitter-"):
            continue  # what the page is built with needs npm: without it sandboxd has none, and says so
        locked = packages["node_modules/" + name]
        target = top / "node_modules" / name
        data = registry.tarball(name, locked["version"])
        check(data, locked["integrity"], name)
        shutil.rmtree(target, ignore_errors=True)
        unpack(data, name, target)
        print("fetched %s %s" % (name, locked["version"]))


def by_npm(top):
    """-> whether npm did it; what it says of a failure is printed"""
    npm = shutil.which("npm")
    if not npm:
        return False
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]
    if subprocess.run(command, cwd=top).returncode == 0:
        return True
    print("npm failed (see above); trying without it", file=sys.stderr)
    return False


def main():
    top = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..")).resolve()
    stamp = top / "node_modules/.stamp"
    try:
        if not by_npm(top):
            fetch(top)
        stamp.parent.mkdir(exist_ok=True)
        stamp.touch()
    except (Failed, OSError, KeyError, ValueError, binascii.Error, tarfile.TarError, subprocess.SubprocessError) as e:
        print("the grammars could not be fetched: %s"
              % (e if isinstance(e, (Failed, OSError)) else "%s: %s" % (type(e).__name__, e)), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
