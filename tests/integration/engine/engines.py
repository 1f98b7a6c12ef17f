"""engines.py - private container engines for tests: Docker, and Podman with runc or runsc.

    with Docker() as docker:
        docker.load(BUSYBOX)
        docker.call("GET", "/containers/json")

Each has its own directory, socket, network and mounts (place.py): nothing of the machine's own engine is touched, nor
seen. `attached(socket)` is an engine that somebody else started, as tests/run.py does for all workers; it can be asked,
not stopped.

    engines.py     makes the images' files that are not there yet, where there can be engines
"""
import fcntl
import hashlib
import http.client
import json
import os
import pathlib
import shutil
import socket as sockets
import struct
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
MAKE_IMAGE = ROOT / "deploy/images/make-image"
IMAGES = ROOT / "build/images"  # what make-image made, for all engines and runs
BUSYBOX, LANGUAGES, COMPILED = "sandbox-agent/busybox:12", "sandbox-agent/test:12", "sandbox-agent/test-compiled:12"
CONTENTS = {BUSYBOX: ["busybox"], LANGUAGES: ["python", "node", "bash"], COMPILED: ["go", "rust"]}
# what a node of ours needs of Debian: its libraries, and a language
NODE = "sandbox-agent/test-node:12"
CONTENTS[NODE] = ["python", *("--package=" + name for name in (
    "libcurl3-gnutls", "libgnutls30", "libjansson4", "libmicrohttpd12", "libpq5", "libsodium23", "libsqlite3-0",
    "libyaml-0-2", "libpcre2-8-0"))]
PATIENCE = 180  # seconds for an engine to answer: on a busy machine dockerd takes ten, and more to start
# Podman's defaults are a million each, which root without CAP_SYS_RESOURCE may not have.
ULIMITS = [{"Name": name, "Soft": 1024, "Hard": 1024} for name in ("nofile", "nproc")]
HERE = pathlib.Path(__file__).resolve().parent


class EngineError(Exception):
    pass


class Connection(http.client.HTTPConnection):
    def __init__(self, path, timeout=PATIENCE):
        super().__init__("localhost", timeout=timeout)
        self.path = str(path)

    def connect(self):
        self.sock = sockets.socket(sockets.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def make_tar(tag):
    """-> file of the tree of this image, made once for as long as make-image is the same"""
    program = hashlib.sha256(MAKE_IMAGE.read_bytes()).hexdigest()[:12]
    path = IMAGES / ("%s-%s.tar" % (tag.rpartition("/")[2].replace(":", "-"), program))
    IMAGES.mkdir(parents=True, exist_ok=True)
    with open(IMAGES / "tests.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            for older in IMAGES.glob(path.name.rpartition("-")[0] + "-*.tar"):
                older.unlink()
            subprocess.run([MAKE_IMAGE, *CONTENTS[tag], "--cache", IMAGES, "--output", path], check=True,
                           stdout=subprocess.DEVNULL)
    return path


class Api:
    """What can be asked of any engine."""
    name = "engine"

    def __init__(self, socket):
        self.socket = str(socket)

    def call(self, method, path, body=None, timeout=PATIENCE):
        """-> (status, answer), which is parsed where it is JSON; body: an object, or bytes as they are"""
        headers = {}
        if body is not None:
            headers["Content-Type"] = "application/x-tar" if isinstance(body, bytes) else "application/json"
            body = body if isinstance(body, bytes) else json.dumps(body)
        connection = Connection(self.socket, timeout)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            text = answer.read()
        finally:
            connection.close()
        if not text:
            return answer.status, None
        try:  # progress is many objects, and Podman's errors sometimes none
            return answer.status, json.loads(text) if "json" in answer.headers.get("Content-Type", "") else text.decode(
                "utf-8", "replace")
        except ValueError:
            return answer.status, text.decode("utf-8", "replace")

    def expect(self, status, method, path, body=None):
        """-> the answer; another status is an error"""
        got, answer = self.call(method, path, body)
        if got != status:
            raise EngineError("%s: %s %s: %d %s" % (self.name, method, path, got, answer))
        return answer

    def containers(self):
        """Ids, of those too that do not run."""
        return [c["Id"] for c in self.expect(200, "GET", "/containers/json?all=1")]

    def volumes(self):
        return [v["Name"] for v in self.expect(200, "GET", "/volumes")["Volumes"] or []]

    def networks(self):
        """Names, without those that each engine has."""
        return [n["Name"] for n in self.expect(200, "GET", "/networks")
                if n["Name"] not in ("none", "host", "bridge", "podman")]

    def has(self, tag):
        return self.call("GET", "/images/%s/json" % tag)[0] == 200

    def load(self, tag):
        """One of the images above, by whichever worker asks first. -> tag"""
        with open(self.socket + ".load", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not self.has(tag):
                path = make_tar(tag)
                languages = [] if tag == BUSYBOX else CONTENTS[tag]
                subprocess.run([MAKE_IMAGE, *languages, "--from", path, "--tag", tag, "--socket", self.socket],
                               check=True,
                               stdout=subprocess.DEVNULL)
        return tag

    def run(self, image, argv, host=(), **more):
        """A container from birth to removal. -> (exit status, its output as the engine logged it)"""
        host = {"NetworkMode": "none", "Ulimits": ULIMITS, **dict(host)}
        made = self.expect(201, "POST", "/containers/create",
                           {"Image": image, "Cmd": argv, "Tty": True, "HostConfig": host, **more})["Id"]
        try:
            self.expect(204, "POST", "/containers/%s/start" % made)
            status = self.expect(200, "POST", "/containers/%s/wait" % made)["StatusCode"]
            return status, self.call("GET", "/containers/%s/logs?stdout=1&stderr=1" % made)[1] or ""
        finally:
            self.call("DELETE", "/containers/%s?force=1&v=1" % made)

    def pid(self):
        """Of the daemon: it is who listens on the socket."""
        with sockets.socket(sockets.AF_UNIX) as s:
            s.connect(self.socket)
            return struct.unpack("3i", s.getsockopt(sockets.SOL_SOCKET, sockets.SO_PEERCRED, 12))[0]

    def allow(self, group):
        """Processes with this group may use the engine, as members of Debian's group docker may."""
        os.chown(self.socket, 0, group)
        os.chmod(self.socket, 0o660)

    def listen(self):
        """-> a listening socket on the loopback that this engine sees: of the calling process, but in the engine's
        network"""
        made, trouble = [], []

        def inside():
            try:
                with open("/proc/%d/ns/net" % self.pid(), "rb") as namespace:
                    setns(namespace.fileno())
                s = sockets.socket()
                s.bind(("127.0.0.1", 0))
                s.listen(16)
                made.append(s)
            except OSError as e:
                trouble.append(e)
        thread = threading.Thread(target=inside)  # only a thread changes its network, and this one ends
        thread.start()
        thread.join()
        if trouble:
            raise trouble[0]
        return made[0]


def setns(fd):
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.setns(fd, 0x40000000):
        raise OSError(ctypes.get_errno(), "setns: %s" % os.strerror(ctypes.get_errno()))


def variable(name):
    """Of the environment: where tests/run.py says the socket of this engine."""
    return "SANDBOX_TEST_" + name.upper().replace("-", "_")


def attached(name, socket):
    engine = Api(socket)
    engine.name = name
    return engine


class Engine(Api):
    """A private one: what Docker and Podman have in common."""
    program = None

    @classmethod
    def reason_against(cls):
        """Why there can be none here; None where there can."""
        if os.geteuid() != 0:
            return "a private %s needs root" % cls.name
        missing = [p for p in cls.programs() if not shutil.which(p, path=PATH)]
        return "%s is not installed (apt-get install %s)" % (missing[0], cls.package) if missing else None

    @classmethod
    def programs(cls):
        return [cls.program, "runc"]

    def __init__(self):
        # short: a socket's path has 107 bytes
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="sandbox-engine-", dir="/tmp"))
        self.dir.chmod(0o711)
        super().__init__(self.dir / "socket")
        self.place = self.daemon = None

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    def start(self):
        try:
            if not self.place:
                self.place = subprocess.Popen([sys.executable, HERE / "place.py"], cwd=self.dir, stdin=subprocess.PIPE,
                                              stdout=subprocess.PIPE, text=True,
                                              stderr=open(self.dir / "place.log", "w"), start_new_session=True)
                if self.place.stdout.readline() != "ready\n":
                    raise EngineError("%s: no place for it: %s"
                                      % (self.name, (self.dir / "place.log").read_text().strip()))
            self.launch()
            self.wait_until_up()
        except BaseException:
            self.stop()
            raise
        return self

    def launch(self):
        order = {"argv": self.argv(), "log": str(self.dir / "log"),
                 "env": {"PATH": PATH, "HOME": str(self.dir), **self.environment()}}
        self.place.stdin.write(json.dumps(order) + "\n")
        self.place.stdin.flush()
        answer = self.place.stdout.readline().strip()
        if not answer.isdigit():
            raise EngineError("%s: %s" % (self.name, answer or "its place is gone"))
        self.daemon = int(answer)

    def wait_until_up(self):
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                if self.call("GET", "/_ping", timeout=20)[0] == 200:
                    return
            except OSError:
                pass
            if time.monotonic() > deadline or not is_alive(self.daemon):
                raise EngineError("%s does not start: %s" % (self.name, self.log()))
            time.sleep(0.05)

    def log(self):
        path = self.dir / "log"
        return path.read_text(errors="replace")[-2000:] if path.exists() else ""

    def kill(self):
        """The daemon alone, at once, as the machine's killer for memory would; its containers may live on. start()
        starts it again."""
        os.kill(self.daemon, 9)
        wait_until_gone(self.daemon)

    def restart(self):
        """In order, as a machine's administrator would."""
        os.kill(self.daemon, 15)
        if not wait_until_gone(self.daemon, PATIENCE):
            raise EngineError("%s does not end: %s" % (self.name, self.log()))
        self.start()

    def stop(self):
        """Nothing is left of it: no process, mount, network, control group or file. At once: asked to end, Docker gives
        each container ten seconds first."""
        if self.place:
            self.place.stdin.close()
            left = self.place.stdout.read()
            self.place.stdout.close()
            self.place.wait()
            self.place = None
            if left:
                raise EngineError("%s: %s" % (self.name, left))
        remove_groups(self.groups())
        shutil.rmtree(self.dir, ignore_errors=True)

    def environment(self):
        return {}

    def groups(self):
        """Names that the control groups of its containers have, or lie in."""
        return []


CGROUPS = pathlib.Path("/sys/fs/cgroup")
PODMANS_GROUP = "libpod_parent"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Docker(Engine):
    name, program, package = "docker", "dockerd", "docker.io"

    def __init__(self):
        super().__init__()
        # of its containers' groups, and by default they would be beside those of the machine's own engine
        self.parent = self.dir.name

    @classmethod
    def programs(cls):
        return ["dockerd", "containerd", "runc"]

    def argv(self):
        config = {"exec-opts": ["native.cgroupdriver=cgroupfs"], "cgroup-parent": "/" + self.parent}
        if shutil.which("runsc", path=PATH):
            runsc = shutil.which("runsc", path=PATH)
            # without the argument it refuses to start in a network without interfaces, and leaves processes: tests want
            # that one too
            config["runtimes"] = {"runsc": {"path": runsc, "runtimeArgs": ["--network=none"]},
                                  "runsc-unprepared": {"path": runsc}}
        (self.dir / "daemon.json").write_text(json.dumps(config))
        return self.argv_of_daemon()

    def argv_of_daemon(self):
        return ["dockerd", "--config-file", str(self.dir / "daemon.json"), "--host", "unix://" + self.socket,
                "--data-root",
                str(self.dir / "data"), "--exec-root", str(self.dir / "exec"), "--pidfile", str(self.dir / "pid"),
                "--bridge=none",
                "--iptables=false", "--ip6tables=false"]

    def groups(self):
        return [self.parent]


class RootlessDocker(Docker):
    """Of an ordinary user, without control groups: what most machines with cgroup v1 give. Its socket is the user's,
    whose entry in /etc/passwd is its own too."""
    package = "docker.io rootlesskit uidmap"
    uid, first_id = 61234, 700000

    @classmethod
    def programs(cls):
        return ["dockerd", "containerd", "runc", "rootlesskit", "newuidmap"]

    def environment(self):
        for path in (self.dir, self.dir / "run"):
            path.mkdir(exist_ok=True)
            os.chown(path, self.uid, self.uid)
        return {"XDG_RUNTIME_DIR": str(self.dir / "run")}

    def argv(self):
        (self.dir / "daemon.json").write_text("{}")
        daemon = "rm -f /run/docker /run/containerd /run/xtables.lock; exec " + " ".join(self.argv_of_daemon())
        users = ("echo t:x:%d:%d::/:/bin/sh >>/etc/passwd; echo t:%d:65536 | tee -a /etc/subuid >>/etc/subgid; exec "
                 "\"$@\""
                 % (self.uid, self.uid, self.first_id))
        return ["sh", "-c", users, "sh", "setpriv", "--reuid=%d" % self.uid, "--regid=%d" % self.uid, "--clear-groups",
                "rootlesskit",
                "--state-dir=%s" % (self.dir / "kit"), "--net=host", "--copy-up=/etc", "--copy-up=/run", "sh", "-c",
                daemon]

    def groups(self):
        return []


class DockerWithUsers(Docker):
    """Root of a container is an ordinary user of the machine, as in a pod of Kubernetes with hostUsers: false."""
    first_id = 700000

    def argv_of_daemon(self):
        users = ("echo t:x:61234:61234::/:/bin/sh >>/etc/passwd; echo t:x:61234: >>/etc/group; "
                 "echo t:%d:65536 | tee -a /etc/subuid >>/etc/subgid; exec \"$@\"" % self.first_id)
        return ["sh", "-c", users, "sh", *super().argv_of_daemon(), "--userns-remap=t"]


class Podman(Engine):
    name, program, package = "podman", "podman", "podman"
    runtime = "/usr/sbin/runc"  # crun 1.8 refuses a machine with both versions of control groups
    flags = ()

    def __init__(self):
        super().__init__()
        self.found_parent = bool(groups_named(PODMANS_GROUP))

    def environment(self):
        registries = self.dir / "registries.conf"
        registries.write_text('[[registry]]\nlocation = "127.0.0.1"\ninsecure = true\n')
        (self.dir / "containers.conf").write_text('[engine]\nevents_logger = "file"\n[network]\n'
                                                  'network_backend = "cni"\n')
        return {"CONTAINERS_REGISTRIES_CONF": str(registries), "CONTAINERS_CONF": str(self.dir / "containers.conf")}

    def argv(self):
        own = {name: str(self.dir / name) for name in ("root", "runroot", "tmpdir", "volumes", "networks")}
        return ["podman", "--runtime", self.runtime, *self.flags, "--cgroup-manager", "cgroupfs", "--root", own["root"],
                "--runroot", own["runroot"],
                "--tmpdir", own["tmpdir"], "--volumepath", own["volumes"], "--network-config-dir", own["networks"],
                "system", "service", "--time=0", "unix://" + self.socket]

    def groups(self):
        ids = [p.name for p in self.dir.glob("root/*-containers/*") if p.is_dir()]
        own = ["libpod-%s%s" % (kind, i) for i in ids for kind in ("", "conmon-")]
        return own if self.found_parent else own + [PODMANS_GROUP]


class PodmanRunsc(Podman):
    """gVisor: Podman ignores the runtime that a container asks for, so it is the engine's."""
    name, runtime, package = "podman-runsc", "/usr/bin/runsc", "podman runsc"
    flags = ("--runtime-flag", "network=none")

    @classmethod
    def programs(cls):
        return ["podman", "runsc"]


def is_alive(pid):
    try:
        return open("/proc/%d/stat" % pid).read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def wait_until_gone(pid, seconds=60):
    deadline = time.monotonic() + seconds
    while is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not is_alive(pid)


def groups_named(*names):
    """-> directories of control groups. Others come and go meanwhile, of which os.walk thinks nothing (and pathlib's
    glob is a FileNotFoundError)."""
    return [pathlib.Path(top, name) for top, below, _ in os.walk(CGROUPS) for name in below if name in names]


def remove_groups(names):
    """What runtimes that were killed did not remove. A group is busy for a moment after its last process, and Podman's
    for as long as another Podman has containers."""
    left = groups_named(*names)
    begin = time.monotonic()
    while any(time.monotonic() - begin < (2 if top.name == PODMANS_GROUP else 60) for top in left):
        for group in [g for top in left for g, _, _ in os.walk(top, topdown=False)]:
            try:
                os.rmdir(group)
            except OSError:
                continue
        left = [top for top in left if top.exists()]
        if left:
            time.sleep(0.02)


if __name__ == "__main__":
    for made in [] if Docker.reason_against() else CONTENTS:
        make_tar(made)
