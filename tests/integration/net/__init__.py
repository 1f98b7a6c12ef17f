"""net - the Internet of the tests; world.py is its process, this file the tests' side of it.

`World("namespace")` has public, private, link-local and metadata addresses in a network namespace of its own, and
another one as the host, in which the command line is then run (`box.prefix`): so the shipped rules are tested as they
are. `World("loopback")` serves on this machine's loopback, for rules that open exactly that. Both need openssl; the
first needs a network namespace, which root makes, and an ordinary user with a user namespace around it.
"""
import json
import pathlib
import select
import shutil
import subprocess
import tempfile

import helpers

PUBLIC, PUBLIC_2, SLOW = "93.184.216.34", "151.101.1.69", "93.184.216.35"
PUBLIC6 = "2606:2800:220:1::34"
ZONE = {"good.test": {"A": [PUBLIC], "AAAA": [PUBLIC6]},
        "www.good.test": {"CNAME": "good.test"},
        "four.good.test": {"A": [PUBLIC]},
        "six.good.test": {"AAAA": [PUBLIC6]},
        "far.test": {"A": [PUBLIC_2]},
        "full.test": {"A": [SLOW]}}


class World:
    def __init__(self, kind):
        for program in ("openssl", "ip"):
            if not shutil.which(program, path="/usr/sbin:/usr/bin:/sbin:/bin"):
                helpers.skip("%s is not installed (apt-get install %s)"
                             % (program, {"ip": "iproute2"}.get(program, program)))
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="test-world-")).resolve()
        self.dir.chmod(0o755)
        unshare = [] if kind == "loopback" else ["unshare", "--net"] if helpers.is_root() else \
            ["unshare", "--user", "--net", "--map-current-user", "--keep-caps"]
        env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}
        self.process = subprocess.Popen([*unshare, "/usr/bin/python3", "-I",
                                         pathlib.Path(__file__).with_name("world.py"), self.dir, kind],
                                        stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
        helpers.residents.add(self.process.pid)
        try:
            ready = self.heard()
        except AssertionError as e:
            self.close()
            helpers.skip("no world of our own: %s" % e)
        self.ports, self.addresses = ready["ports"], ready["addresses"]
        enter = [] if helpers.is_root() else ["--user", "--preserve-credentials"]
        self.prefix = [] if kind == "loopback" else ["nsenter", "--target", str(self.process.pid), "--net", *enter,
                                                     "--"]
        self.zone({})

    def heard(self, patience=helpers.PATIENCE):
        if not select.select([self.process.stdout], [], [], patience)[0]:
            raise AssertionError("it says nothing")
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError("it ended: %s" % self.process.stderr.read().strip())
        return json.loads(line)

    def do(self, what, **more):
        self.process.stdin.write(json.dumps({"do": what, **more}) + "\n")
        self.process.stdin.flush()
        return self.heard()

    def zone(self, more):
        """The usual names, and these."""
        self.do("zone", zone={**ZONE, **more})

    def log(self, *servers):
        """What these servers (all, if none is named) saw since the last time."""
        return [line for line in self.do("log")["log"] if not servers or line.get("server") in servers]

    def told(self, server, count):
        """What it saw, once that is so many: it tells of a connection when that has ended, a moment after the program
        has."""
        lines = []
        helpers.poll(lambda: lines.extend(self.log(server)) or len(lines) < count)
        return lines

    def established(self):
        """-> the TCP connections to its servers, of all tests until now: what one test made is what was not there
        before it"""
        return set(self.do("established")["established"])

    @property
    def resolver(self):
        return "127.0.0.1:%d" % self.ports["dns"]

    @property
    def ca(self):
        return self.dir / "ca.pem"

    def close(self):
        with self.process as p:
            p.stdin.close()
            try:
                p.wait(10)
            except subprocess.TimeoutExpired:
                p.kill()
        helpers.residents.discard(self.process.pid)
        shutil.rmtree(self.dir, ignore_errors=True)


_worlds = {}


def the_world(kind):
    """One for each process that runs tests."""
    if kind not in _worlds or _worlds[kind].process.poll() is not None:
        _worlds[kind] = World(kind)
    found = _worlds[kind]
    found.zone({})
    found.log()
    return found


def close_all():
    while _worlds:
        _worlds.popitem()[1].close()


class Online:
    """A box with a world around it: runs at low risk, with the world's name server."""

    def __init__(self, box, kind):
        self.box, self.world = box, the_world(kind)
        box.prefix = self.world.prefix
        self.has_ca = True
        self.configure()

    def configure(self, **sandbox):
        self.box.user_config({"sandbox": {"resolvers": [self.world.resolver], **sandbox}})

    def words(self, changes, options):
        """-> what says by which profile, with the CA at /mnt/ca.pem unless has_ca is false"""
        profile = self.box.derive("low", {k.replace("__", "."): v for k, v in changes.items()}) if changes else None
        ca = ["--volume", "%s:/mnt/ca.pem:ro" % self.world.ca] if self.has_ca else []
        return {"level": "low", "profile": profile, "options": [*options, *ca]}

    def start(self, language, code, options=(), **changes):
        """A run that may end as it likes. Keywords are keys of the profile, with __ for dots. -> Done"""
        return self.box.run(language, code, **self.words(changes, options))

    def run(self, language, code, options=(), **changes):
        """A run that has to end well. -> its standard output"""
        done = self.start(language, code, options, **changes)
        assert done.code == 0, done
        return done.text

    def result(self, language, code, options=(), **changes):
        """-> the result object"""
        return self.box.json(language, code, **self.words(changes, options))

    def live(self, language, code, marker=b"ready", options=(), **changes):
        return self.box.live(language, code, marker, **self.words(changes, options))
