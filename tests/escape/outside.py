"""outside.py - the host's side of an attack: what is laid out as bait, and what must be unchanged afterwards.

`Host` makes the bait: listeners (TCP, UDP, abstract and pathname sockets), a victim process, canary
files anybody may write, an inherited directory, a secret in the environment. Every check is a method
check_<name>(run) that returns None or one sentence. EVERY_RUN names those that follow each run; others are
asked for by an attack's «outside:» line.

Other sandboxes and other users of the machine may come and go meanwhile, so each check looks for what
must be ours: descendants of this process (it is a child subreaper: orphans end up here, whoever was
killed in between), control groups named after a launcher that our command line started, and so on.
"""
import ctypes
import fcntl
import os
import pathlib
import re
import secrets
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import termios
import threading
import time
import tty

SECRET_NAME = "SANDBOX_AGENT_TEST_SECRET"
OURS = re.compile(r"escape-(\d+-|meeting$)")  # what attacks call their files
PATIENCE = 30.0  # seconds until what was ours must be gone: a loaded machine, not a slow sandbox
EVERY_RUN = ("no_process_left", "no_cgroup_left", "no_mount_left", "no_file_left", "no_ipc_left", "canary_unchanged",
             "host_listener_untouched", "victim_alive", "sysctl_unchanged", "clock_unchanged", "secret_kept")
SYSCTLS = ("kernel/core_pattern", "kernel/hostname", "kernel/domainname", "kernel/modprobe", "kernel/panic",
           "vm/overcommit_memory",
           "vm/panic_on_oom", "net/ipv4/ip_forward", "user/max_user_namespaces", "kernel/randomize_va_space")


def _read(path):
    try:
        return pathlib.Path(path).read_text(errors="replace")
    except OSError:
        return ""


def _poll(condition, patience=PATIENCE):
    """condition() -> what is left; returns it when it is still there after patience."""
    until = time.monotonic() + patience
    left = condition()
    while left and time.monotonic() < until:
        time.sleep(0.03)
        left = condition()
    return left


def children(pid):
    pids = set()
    try:
        for task in os.listdir("/proc/%d/task" % pid):
            pids.update(int(p) for p in _read("/proc/%d/task/%s/children" % (pid, task)).split())
    except OSError:
        pass  # it ended meanwhile
    return pids


def peak_memory(pid):
    """Most bytes that a living process ever had resident; None when it has ended."""
    try:
        found = re.search(r"^VmHWM:\s+(\d+) kB$", _read("/proc/%d/status" % pid), re.M)
    except OSError:
        return None
    return int(found[1]) * 1024 if found else None


def descendants(pid):
    found, queue = set(), [pid]
    while queue:
        for child in children(queue.pop()) - found:
            found.add(child)
            queue.append(child)
    return found


def _mounts():
    return {line.split(" ", 1)[1] for line in _read("/proc/self/mountinfo").splitlines()}


def _cgroups():
    """sandbox-agent* below /sys/fs/cgroup, at any depth"""
    found = set()
    for path, dirs, _ in os.walk("/sys/fs/cgroup"):
        found.update(os.path.join(path, d) for d in dirs if d.startswith("sandbox-agent"))
    return found


class Allowed:
    """The peers that the rules of mode bridge allow: an echo by TCP and UDP under one number, a port where nobody
    listens, and a slow door."""

    def __init__(self):
        self.tcp, self.closed, self.door = (socket.socket() for _ in range(3))
        self.udp = socket.socket(type=socket.SOCK_DGRAM)
        for s in (self.tcp, self.closed, self.door):
            s.bind(("127.0.0.1", 0))
        self.udp.bind(self.tcp.getsockname())
        self.tcp.listen(64)
        self.door.listen(0)
        self.door.setblocking(False)
        self.port, self.closed_port, self.slow_port = (s.getsockname()[1] for s in (self.tcp, self.closed, self.door))
        self.rules = ["127.0.0.1/32:%d" % p for p in (self.port, self.closed_port, self.slow_port)]
        self.is_open, self.guard = True, None
        for target in (self._serve, self._serve_udp):
            threading.Thread(target=target, daemon=True).start()

    def _serve(self):
        while self.is_open:
            try:
                s, _ = self.tcp.accept()
            except OSError:
                return
            threading.Thread(target=self._echo, args=[s], daemon=True).start()

    @staticmethod
    def _echo(s):
        try:
            with s:
                s.settimeout(30)
                while data := s.recv(4096):
                    s.sendall(data)
        except OSError:
            pass

    def _serve_udp(self):
        while self.is_open:
            try:
                data, peer = self.udp.recvfrom(2048)
                if not peer:
                    return  # closed
                self.udp.sendto(data, peer)
            except OSError:
                return

    # -- the slow door: its queue is kept full, so that the kernel drops who knocks; once somebody has waited a little
    # it is emptied, and the next try, a second after the first, gets in --

    def start_door(self):
        self.stop = threading.Event()
        self.guard = threading.Thread(target=self._keep_door)
        self.guard.start()

    def stop_door(self):
        if self.guard:
            self.stop.set()
            self.guard.join()
            self.guard = None

    def _waiting(self, own):
        """Local ports of who knocks (SYN_SENT), without our own."""
        found = set()
        for line in _read("/proc/net/tcp").splitlines()[1:]:
            words = line.split()
            if words[3] == "02" and int(words[2].split(":")[1], 16) == self.slow_port:
                found.add(int(words[1].split(":")[1], 16))
        return found - own

    def _fill(self):
        """-> sockets that fill the queue, the last of which waits"""
        taken = []
        while len(taken) < 8:
            s = socket.socket()
            s.setblocking(False)
            s.connect_ex(("127.0.0.1", self.slow_port))
            taken.append(s)
            if not select.select([], [s], [], 0.03)[1]:
                break
        return taken

    def _keep_door(self):
        taken, since, guests = self._fill(), None, []
        while not self.stop.wait(0.02):
            waiting = self._waiting({s.getsockname()[1] for s in taken if s.fileno() >= 0})
            since = (since or time.monotonic()) if waiting else None
            if since and time.monotonic() - since > 0.3:
                for s in taken:
                    s.close()
                taken = []
                guests += self._let_in()
            elif not waiting and not taken:
                guests += self._let_in()
                taken = self._fill()
        for s in taken + guests + self._let_in():
            s.close()

    def _let_in(self):
        found = []
        try:
            while True:
                found.append(self.door.accept()[0])
        except BlockingIOError:
            return found

    def close(self):
        self.is_open = False
        self.stop_door()
        for s in (self.tcp, self.udp, self.closed, self.door):
            try:
                s.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            s.close()


class Host:
    def __init__(self, volume, host_paths=()):
        # orphans of our children become ours
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
        self.volume = volume
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="host-of-escape-tests-"))
        self.dir.chmod(0o755)
        self.tmp = self.dir / "tmp"  # our programs' TMPDIR
        self.tmp.mkdir(mode=0o700)
        self.cache = self.dir / "cache"  # their XDG_CACHE_HOME
        self.canary_dir = self.dir / "canary.d"
        self.canary_dir.mkdir()
        self.canary_dir.chmod(0o777)
        self.canary = self.canary_dir / "canary"
        self.stdin_file = self.dir / "stdin"
        self.canary_text = "host canary %s\n" % secrets.token_hex(8)
        for file in (self.canary, self.stdin_file):
            file.write_text(self.canary_text)
            file.chmod(0o666)
        self.secret = secrets.token_hex(16)
        self._listen()
        self.allowed = Allowed()
        self._start_victim()
        self.inherited = self._inheritable()
        self.host_paths = [str(p) for p in (self.dir, os.getcwd(), *host_paths) if len(str(p)) > 5]
        self.tty = None
        self.visitors = []
        self.helpers = ()  # programs of ours that may stay behind an attack, for the session's next job

    # ---- bait ----

    def _listen(self):
        self.sockets = []
        tcp = socket.socket()
        tcp.bind(("127.0.0.1", 0))
        self.port = tcp.getsockname()[1]
        self.abstract = "sandbox-agent-test-host-%d" % os.getpid()
        self.path_socket, self.volume_socket = str(self.dir / "service.sock"), str(self.volume / "service.sock")
        for path in self.volume.glob("service.sock*"):  # a run that was killed left them
            path.unlink()
        for family, kind, address in ((socket.AF_INET6, socket.SOCK_STREAM, ("::1", self.port)),
                                      (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", self.port)),
                                      (socket.AF_UNIX, socket.SOCK_STREAM, "\0" + self.abstract),
                                      (socket.AF_UNIX, socket.SOCK_DGRAM, "\0" + self.abstract + "-dgram"),
                                      (socket.AF_UNIX, socket.SOCK_STREAM, self.path_socket),
                                      (socket.AF_UNIX, socket.SOCK_DGRAM, self.path_socket + "-dgram"),
                                      (socket.AF_UNIX, socket.SOCK_STREAM, self.volume_socket),
                                      (socket.AF_UNIX, socket.SOCK_DGRAM, self.volume_socket + "-dgram"),
                                      (socket.AF_UNIX, socket.SOCK_SEQPACKET, self.volume_socket + "-seqpacket")):
            s = socket.socket(family, kind)
            try:
                s.bind(address)
            except OSError:
                continue  # a machine without IPv6
            self.sockets.append(s)
        self.sockets.append(tcp)
        for s in self.sockets:
            s.setblocking(False)
            if s.type != socket.SOCK_DGRAM:
                s.listen(16)
        for path in [*self.dir.glob("service.sock*"), *self.volume.glob("service.sock*")]:
            path.chmod(0o777)

    def _start_victim(self):
        as_nobody = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        self.victim = subprocess.Popen(["/bin/sleep", "86400"], start_new_session=True, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **as_nobody)

    def _inheritable(self):
        """Descriptors that a careless launcher would pass on: a directory outside, a writable file, a socket."""
        made = [os.open(self.canary_dir, os.O_RDONLY | os.O_DIRECTORY), os.open(self.canary, os.O_RDWR),
                socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).detach()]
        numbers = [fcntl.fcntl(fd, fcntl.F_DUPFD, n) for fd, n in zip(made + made[:1], (17, 60, 201, 900))]
        for fd in made:
            os.close(fd)
        for fd in numbers:
            os.set_inheritable(fd, True)
        return numbers

    def params(self, **more):
        values = {"host_port": self.port, "allowed_port": self.allowed.port, "closed_port": self.allowed.closed_port,
                  "slow_port": self.allowed.slow_port,
                  "abstract_name": self.abstract, "host_socket": self.path_socket,
                  "host_volume_socket": self.volume_socket, "victim_pid": self.victim.pid,
                  "secret_name": SECRET_NAME, "canary": self.canary, "canary_dir": self.canary_dir,
                  "volume_source": self.volume,
                  "host_hostname": socket.gethostname(), "host_home": os.path.expanduser("~"),
                  "host_paths": ":".join(self.host_paths),
                  "host_machine_id": _read("/etc/machine-id").strip(), "host_users": self._host_users(), **more}
        file = self.volume / "params"
        file.write_text("".join("%s=%s\n" % item for item in values.items()))
        file.chmod(0o644)
        return file

    @staticmethod
    def _host_users():
        ours = ("nobody", "root", "sandbox", "agent", "user")
        lines = (line.split(":") for line in _read("/etc/passwd").splitlines())
        return ",".join(f[0] for f in lines if len(f) > 2 and int(f[2]) >= 100 and f[0] not in ours)

    def environment(self):
        """A cache of its own: without one root's command line would write into the machine's."""
        return {**os.environ, SECRET_NAME: self.secret, "TMPDIR": str(self.tmp), "XDG_CACHE_HOME": str(self.cache)}

    def open_tty(self):
        """A terminal whose slave is the run's stdin and controlling terminal. -> slave"""
        self.tty = os.openpty()
        tty.setraw(self.tty[1], termios.TCSANOW)
        return self.tty[1]

    def during(self, names, port, marker):
        """What the outside does while an attack runs, for the checks that need it. -> what ends it"""
        acts = {"inside_listener_unreachable": lambda: self._visit(port, marker), "file_events_unseen": self._stir,
                "host_inotify_works": self._take_inotify}
        chosen = [act for name, act in acts.items() if name in names]
        if "slow_door" in names:
            self.allowed.start_door()

        is_over = threading.Event()

        def go():
            while not is_over.wait(0.03):
                for act in chosen:
                    act()

        thread = threading.Thread(target=go)
        thread.start()

        def end():
            is_over.set()
            thread.join()
        return end

    def _visit(self, port, name):
        """Tries the doors that an attack says it opened inside."""
        for family, address in ((socket.AF_INET, ("127.0.0.1", port)), (socket.AF_INET6, ("::1", port)),
                                (socket.AF_UNIX, "\0" + name)):
            with socket.socket(family) as s:
                s.settimeout(0.1)
                try:
                    s.connect(address)
                    self.visitors.append("%s %r" % (family.name, address))
                except OSError:
                    pass

    @staticmethod
    def _stir():
        """Ordinary life on the host, which nobody inside should notice."""
        for path in ("/usr/bin/env", "/usr/lib/os-release", "/usr/lib/x86_64-linux-gnu/libc.so.6"):
            try:
                with open(path, "rb") as f:
                    f.read(16)
            except OSError:
                pass

    def _take_inotify(self):
        fd = ctypes.CDLL(None, use_errno=True).inotify_init1(0o2000000)
        if fd < 0:
            self.visitors.append(os.strerror(ctypes.get_errno()))
        else:
            os.close(fd)

    # ---- before and after ----

    def before(self):
        self.visitors.clear()
        self.known = descendants(os.getpid())
        self.mounts, self.cgroups, self.files = _mounts(), _cgroups(), self._files()
        self.sysctls = {name: _read("/proc/sys/" + name) for name in SYSCTLS}
        self.clock = time.time() - time.monotonic()

    def after(self, run, names=(), without=()):
        self.allowed.stop_door()
        problems = []
        for name in dict.fromkeys(n for n in EVERY_RUN + tuple(names) if n not in without):
            problem = getattr(self, "check_" + name)(run)
            if problem:
                problems.append("%s: %s" % (name, problem))
        if self.tty:
            for fd in self.tty:
                os.close(fd)
            self.tty = None
        return problems

    def check_no_process_left(self, run):
        def left():
            pids = {p for p in descendants(os.getpid()) - self.known if not self._stays(p)}
            for pid in list(pids):
                if _read("/proc/%d/stat" % pid).rpartition(")")[2].startswith(" Z"):
                    try:
                        os.waitpid(pid, os.WNOHANG)  # it came to us when its parent died
                    except ChildProcessError:
                        pass
                    pids.discard(pid)
            return pids

        pids = _poll(left)
        if pids:
            text = ", ".join("%d (%s)" % (p, _read("/proc/%d/cmdline" % p).replace("\0", " ").strip()
                                          or _read("/proc/%d/comm" % p).strip())
                             for p in pids)
            for pid in pids:  # these are ours: the next test shall not trip over them
                self._end(pid)
            return "still running: " + text
        return None

    def _stays(self, pid):
        try:
            return os.path.basename(os.readlink("/proc/%d/exe" % pid)) in self.helpers
        except OSError:
            return False

    @staticmethod
    def _end(pid):
        """By descriptor, and only while it is still a descendant: numbers are reused, and an attack may hurry that."""
        try:
            fd = os.pidfd_open(pid)
        except OSError:
            return
        try:
            if pid in descendants(os.getpid()):
                signal.pidfd_send_signal(fd, signal.SIGKILL)
        except OSError:
            pass
        finally:
            os.close(fd)

    def check_no_cgroup_left(self, run):
        def is_ours(path):
            name = re.match(r"sandbox-agent\.(\d+)\.", os.path.basename(path))  # its launcher's pid
            return int(name[1]) in run.started if name else bool(run.id) and run.id in path

        left = _poll(lambda: {c for c in _cgroups() - self.cgroups if is_ours(c)})
        return "remain: " + " ".join(sorted(left)) if left else None

    def check_no_mount_left(self, run):
        def left():
            return {m for m in _mounts() - self.mounts if "sandbox" in m or str(self.dir) in m or str(self.volume) in m
                    or "escape" in m}

        mounts = _poll(left)
        return "new mounts: " + "; ".join(mounts) if mounts else None

    def _files(self):
        found = set()
        for d in ("/tmp", "/var/tmp", "/dev/shm", "/run", "/workspace", "/",
                  os.environ.get("XDG_RUNTIME_DIR") or "/run/lock", os.getcwd()):
            try:
                found.update(os.path.join(d, name) for name in os.listdir(d))
            except OSError:
                pass
        return found | {str(p) for p in self.tmp.iterdir()}

    def check_no_file_left(self, run):
        def is_ours(path):
            name = os.path.basename(path)
            if OURS.match(name) or re.fullmatch(r"core(\.\d+)?|-rf|artifacts", name) or path.startswith(str(self.tmp)):
                return True
            try:  # the sandbox's users on the host have numbers that nobody else uses
                return os.geteuid() == 0 and os.lstat(path).st_uid > 100000
            except OSError:
                return False

        left = _poll(lambda: {f for f in self._files() - self.files if is_ours(f)})
        for f in left:
            if OURS.match(os.path.basename(f)):
                shutil.rmtree(f, ignore_errors=True) if os.path.isdir(f) and not os.path.islink(f) else os.unlink(f)
        return "new files: " + " ".join(sorted(left)) if left else None

    def check_no_ipc_left(self, run):
        for kind in ("shm", "sem", "msg"):
            for line in _read("/proc/sysvipc/" + kind).splitlines()[1:]:
                if int(line.split()[0]) & 0xFFFF0000 == 0x5AFE0000:
                    return "a %s object of key %s" % (kind, line.split()[0])
        names = os.listdir("/dev/mqueue") if os.path.isdir("/dev/mqueue") else []
        left = [n for n in names if n.startswith("escape-")]
        return "message queues: " + " ".join(left) if left else None

    def check_canary_unchanged(self, run):
        st = self.canary.stat()
        if self.canary.read_text() != self.canary_text:
            self.canary.write_text(self.canary_text)
            return "the canary was written"
        if st.st_nlink != 1 or st.st_mode & 0o7777 != 0o666:
            return "the canary's mode or links changed"
        if [p.name for p in self.canary_dir.iterdir()] != ["canary"]:
            return "the canary's directory changed"
        return None

    def check_stdin_unchanged(self, run):
        st = self.stdin_file.stat()
        if self.stdin_file.read_text() != self.canary_text or st.st_nlink != 1 or st.st_mode & 0o7777 != 0o666:
            return "the file behind stdin changed"
        return None

    def check_stdio_flags_unchanged(self, run):
        return (None if run.stdin_flags[0] == run.stdin_flags[1]
                else "flags of the caller's stdin changed from %o to %o" % run.stdin_flags)

    def check_host_listener_untouched(self, run):
        touched = []
        for s in self.sockets:
            try:
                while True:  # all who came: the next attack shall not answer for this one
                    got = s.accept() if s.type != socket.SOCK_DGRAM else s.recvfrom(100)
                    touched.append("%s %s" % (s.family.name, got))
            except BlockingIOError:
                pass
        touched = touched[:5]
        return "reached: " + ", ".join(touched) if touched else None

    def check_slow_door(self, run):
        return None  # asks for the door, nothing more

    def check_inside_listener_unreachable(self, run):
        return "reached from outside: " + ", ".join(self.visitors) if self.visitors else None

    def check_file_events_unseen(self, run):
        return None  # the attack tells

    def check_host_inotify_works(self, run):
        return "inotify_init failed on the host meanwhile: " + self.visitors[0] if self.visitors else None

    def check_victim_alive(self, run):
        state = _read("/proc/%d/stat" % self.victim.pid).rpartition(")")[2].split()[:1]
        if self.victim.poll() is not None:
            self._start_victim()
            return "the victim was killed"
        return "the victim is in state %s" % state[0] if state and state[0] not in "SR" else None

    def check_sysctl_unchanged(self, run):
        changed = [n for n, text in self.sysctls.items() if _read("/proc/sys/" + n) != text]
        return "changed: " + " ".join(changed) if changed else None

    def check_clock_unchanged(self, run):
        drift = abs(time.time() - time.monotonic() - self.clock)
        return "the clock jumped by %.1f s" % drift if drift > 1 else None

    def check_secret_kept(self, run):
        return "the caller's secret is in the output" if self.secret in run.text else None

    def check_tty_untouched(self, run):
        if not self.tty:
            return None
        master, slave = self.tty
        os.set_blocking(slave, False)
        try:
            got = os.read(slave, 100)
        except BlockingIOError:
            got = b""
        return "typed into the terminal: %r" % got if got else None

    def check_output_bounded(self, run):
        most = run.max_output
        for stream in ("stdout", "stderr"):
            if len((run.result or {}).get(stream) or "") > most:
                return "%s has %d bytes, the cap is %d" % (stream, len(run.result[stream]), most)
        if run.peak_rss > 8 * most + (64 << 20):
            return "the command line took %d MiB of memory" % (run.peak_rss >> 20)
        return None

    def close(self):
        self.victim.kill()
        self.victim.wait()
        self.allowed.close()
        for s in self.sockets:
            s.close()
        for fd in self.inherited:
            os.close(fd)
        shutil.rmtree(self.dir, ignore_errors=True)
