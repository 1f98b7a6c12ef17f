"""fleet_world.py - a fleet whose every part has a network namespace of its own: three nodes, a PostgreSQL on a small
disk with TLS, and this process's, the hub, with HAProxy and the clients. The hub passes packets on between them.

    with World() as w:
        w.nodes[0].place.cut(w.database.place.address)
        w.nodes[0].place.heal()

For a process that `unshare --net --mount` was started for: namespaces and the disk are gone with it, whatever ends it.
"""
import contextlib
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile

import helpers
import test_store_tls
from haproxy import Door, HAProxy
from net import world
from postgresql import PostgreSQL
from service import USER, Service, preloaded

NAMES = ("node-1", "node-2", "node-3")
DATABASE, PORT = 9, 8443  # the database's link; where nodes listen
CLOCK_OFF_MS = 1300  # of the last node's clock, within fleet.max_clock_difference
DISK = "256m"
LIMIT = 20  # runs of an agent
NEW_NETWORK = 0x40000000  # CLONE_NEWNET
OTHER_CLOCK = r"""
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t c, struct timespec *t)
{
    int e = (int)syscall(SYS_clock_gettime, c, t);
    if (e == 0 && c == CLOCK_REALTIME) {
        t->tv_nsec += %d * 1000000L;
        t->tv_sec += t->tv_nsec / 1000000000;
        t->tv_nsec %%= 1000000000;
    }
    return e;
}
"""


class Place(world.Namespace):
    """A network namespace with a link to the hub, which is where its maker is."""

    def __init__(self, number):
        hub = world.Namespace()
        if world.libc.unshare(NEW_NETWORK):
            raise OSError("no network namespace of our own")
        super().__init__()
        self.enter(hub.fd)
        self.hub_address, self.address = "10.77.%d.1" % number, "10.77.%d.2" % number
        self.prefix = ["nsenter", "--net=/proc/%d/fd/%d" % (os.getpid(), self.fd), "--"]
        link = "hub-%d" % number
        world.run("ip", "link", "add", link, "type", "veth", "peer", "name", "hub", "netns",
                  "/proc/%d/fd/%d" % (os.getpid(), self.fd))
        world.run("ip", "addr", "add", self.hub_address + "/30", "dev", link)
        world.run("ip", "link", "set", link, "up")
        for words in (("link", "set", "lo", "up"), ("addr", "add", self.address + "/30", "dev", "hub"),
                      ("link", "set", "hub", "up"), ("route", "add", "default", "via", self.hub_address)):
            world.run(*self.prefix, "ip", *words)
        os.close(hub.fd)

    def rules(self, text):
        """Of nftables, in place of those that were there."""
        subprocess.run([*self.prefix, "nft", "-f", "-"], input="table ip fault\ndelete table ip fault\n" + text,
                       text=True, check=True, timeout=60)

    def cut(self, *addresses):
        """Nothing comes from there or goes there, and nobody is told."""
        them = ", ".join(addresses)
        self.rules("table ip fault {\n chain in {\n type filter hook input priority 0\n ip saddr { %s } drop\n }\n"
                   " chain out {\n type filter hook output priority 0\n ip daddr { %s } drop\n }\n}\n" % (them, them))

    def divert(self, address, port, to, to_port):
        """New connections to that address lead to another one."""
        self.rules("table ip fault {\n chain out {\n type nat hook output priority -100\n ip daddr %s tcp dport %d "
                   "dnat to %s:%d\n }\n}\n" % (address, port, to, to_port))

    def heal(self):
        self.rules("")


class Certificates:
    """Of an authority of the test's own, for nodes and the database, by their addresses."""

    def __init__(self, directory):
        self.dir, self.authority = directory, directory / "ours.pem"
        test_store_tls.authority(directory, "ours")

    def make(self, name, address, user):
        """-> certificate and key, of the user"""
        test_store_tls.certificate(self.dir, name, name, "subjectAltName=IP:" + address)
        for end in (".pem", ".key"):
            os.chown(self.dir / (name + end), user.pw_uid, user.pw_gid)
        return self.dir / (name + ".pem"), self.dir / (name + ".key")


class Database(PostgreSQL):
    """On a disk that can be filled. Nodes come over TLS and show a certificate of their role."""

    def __init__(self, certificates, disk):
        self.place, self.disk, self.certificates = Place(DATABASE), disk, certificates
        super().__init__(Database.words_of, disk, self.place.prefix)

    def words_of(self):
        (self.dir / "data/pg_hba.conf").write_text("local all all trust\nhostssl all all all cert\n")
        os.chown(self.dir / "data/pg_hba.conf", self.user.pw_uid, self.user.pw_gid)
        certificate, key = self.certificates.make("database", self.place.address, self.user)
        options = {"listen_addresses": self.place.address, "ssl": "on", "ssl_ca_file": self.certificates.authority,
                   "ssl_cert_file": certificate, "ssl_key_file": key, "fsync": "on", "max_wal_size": "64MB",
                   "min_wal_size": "32MB", "max_connections": 50}
        return [word for item in options.items() for word in ("-c", "%s=%s" % item)]

    def config(self, node, user="sandbox", is_durable=True):
        """Of the owner over the socket, or of a node with a role of its own."""
        store = super().config(node, user)["store"]
        if user != "sandbox":
            store.update(host=self.place.address, ca_file=str(self.certificates.authority),
                         certificate=str(self.certificates.dir / (node + ".pem")), wait_for_disk=is_durable,
                         key=str(self.certificates.dir / (node + ".key")))
        return {"store": store}

    def kill9(self):
        """The server: its children see that and end."""
        helpers.kill_quietly(self.process.pid)
        self.process.wait(60)
        helpers.residents.discard(self.process.pid)

    def fill_disk(self):
        with open(self.disk / "ballast", "wb", buffering=0) as f, contextlib.suppress(OSError):
            while f.write(bytes(1 << 16)):
                pass

    def empty_disk(self):
        (self.disk / "ballast").unlink(missing_ok=True)


class Node(Service):
    """In its place, with TLS, a certificate that is known to the database, and an address for the others."""

    def __init__(self, number, database, certificates, more, **words):
        self.name, self.place = NAMES[number - 1], Place(number)
        user = pwd.getpwnam(USER)
        certificate, key = certificates.make(self.name, self.place.address, user)
        self.authority, at = certificates.authority, "%s:%d" % (self.place.address, PORT)
        config = {"endpoints": {"api": {"tls": {"certificate": str(certificate), "key": str(key)}, "linger": "3s",
                                        "allowed_hosts": [self.place.address, "127.0.0.1", "localhost"]}},
                  "fleet": {"address": "https://" + at, "ca_file": str(certificates.authority)}}
        config = helpers.merged(config, helpers.merged(database, more))
        super().__init__(config, options=["--listen", at], start=False, **words)

    def words(self):
        return [*self.place.prefix, *super().words()]

    def connection(self):
        s = Service.connection()
        s.verify = str(self.authority)
        return s


class World:
    def __init__(self, more=(), is_durable=True):
        self.more, self.is_durable, self.nodes = dict(more), is_durable, []

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            self.make(stack)
            self.stack = stack.pop_all()
        return self

    def make(self, stack):
        world.run("ip", "link", "set", "lo", "up")
        pathlib.Path("/proc/sys/net/ipv4/ip_forward").write_text("1")
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="test-fleet-"))
        stack.callback(shutil.rmtree, self.dir)
        self.dir.chmod(0o755)
        disk = self.dir / "disk"
        disk.mkdir()
        world.run("mount", "-t", "tmpfs", "-o", "size=%s,mode=755" % DISK, "none", str(disk))
        stack.callback(world.run, "umount", "--lazy", str(disk))
        certificates = Certificates(self.dir)
        self.database = Database(certificates, disk)
        stack.callback(self.database.close)
        other_clock = stack.enter_context(preloaded(OTHER_CLOCK % CLOCK_OFF_MS))
        for number, name in enumerate(NAMES, 1):
            config = self.database.config(name, name, self.is_durable)
            env = other_clock if number == len(NAMES) else ()
            self.nodes.append(stack.enter_context(Node(number, config, certificates, self.more, env=env)))
        self.admin("store", "migrate")
        for node in self.nodes:
            self.database.ask('CREATE ROLE "%s" LOGIN' % node.name)
            self.admin("store", "grant", node.name)
        key = self.admin("keys", "create", "--name", "first", "--role", "admin").split()[-1]
        for node in self.nodes:
            node.key = key
            node.start()
        servers = {n.name: "%s:%d ssl verify required ca-file %s check-ssl" % (n.place.address, PORT, n.authority)
                   for n in self.nodes}
        self.proxy = HAProxy(servers)
        stack.callback(self.proxy.close)
        self.door = Door(self.proxy, key)
        assert not helpers.poll(lambda: not self.door.is_ready(), 60), helpers.read(self.proxy.dir / "log")
        stack.callback(lambda: [n.signal(signal.SIGTERM) for n in self.nodes])  # all at once: each lingers

    def __exit__(self, *what):
        self.stack.__exit__(*what)

    def admin(self, *words):
        """A command with the role that owns the tables. -> what it says"""
        node, path = self.nodes[0], self.dir / "admin.yaml"
        path.write_text(helpers.to_yaml({"sandbox": {"paths": {"state_dir": str(node.state_dir), "log_dir":
                                                               str(node.log_dir)}}, **self.database.config("admin")}))
        said = subprocess.run([helpers.AGENT, *words, "--config", path], env=node.env, capture_output=True, text=True,
                              timeout=120)
        assert said.returncode == 0, (words, said.stdout + said.stderr)
        return said.stdout

    def command(self, node, *words, **more):
        """A command on that node. -> subprocess.CompletedProcess"""
        argv = [*node.place.prefix, helpers.AGENT, *words, "--config", node.config_path]
        return subprocess.run(argv, env={**node.env, "SANDBOX_AGENT_API_KEY": node.key}, capture_output=True, text=True,
                              timeout=120, **more)
