"""world.py - a small Internet for tests: runs as a process of its own, is told what to do over its standard input.

    python3 world.py DIRECTORY loopback     servers on this machine's 127.0.0.1 and ::1, ports that were free
    python3 world.py DIRECTORY namespace    in a network namespace that was made for it, the *host's*, where the command
                                            line runs; it makes another, the *Internet*, behind a pair of veth: public,
                                            private and other addresses on its lo, servers on all of them, ports as
                                            everybody knows them. The host's has servers on its loopback and on an
                                            address of its own that looks public (HOST, HOST6), and the name server on
                                            127.0.0.1:53

One JSON object a line in both directions. First it says {"ready": true, ports...}; then it answers
    {"do": "log"}                 what the servers saw since the last time
    {"do": "zone", "zone": {...}} another zone (net/dns.py says what one is)
    {"do": "waiting"}             what sockets that nobody has open still have to send
    {"do": "host address", "address": A/N}  the host is given one more
    {"do": "established"}         the TCP connections to its ports that are established now: local and remote address of
    each
Ends with its standard input, and takes its directory along: nothing is left behind when the tests are killed.
"""
import ctypes
import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import threading

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from net import dns, servers  # noqa: E402

# what a namespaced world consists of; servers listen on all of it
PUBLIC = ["93.184.216.34", "93.184.216.35", "151.101.1.69", dns.LIAR]
PUBLIC6 = ["2606:2800:220:1::34", "2a04:4e42::69"]
FORBIDDEN = ["10.1.2.3", "172.16.5.5", "192.168.1.1", "100.64.0.1", "169.254.169.254", "169.254.1.1", "100.100.100.200",
             "192.0.0.192", "0.1.2.3", "198.18.0.1",
             "240.0.0.1"]
FORBIDDEN6 = ["fd00:ec2::254", "fd12:3456::1", "fe80::1", "fec0::1", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1",
              "::169.254.169.254"]
HOST, HOST6 = "62.75.30.4", "2a00:1450:4001::7"  # the host's own: as public as any, and no way to it but its own
LINK, LINK6 = ("10.255.255.1", "10.255.255.2"), ("fd00:ffff::1", "fd00:ffff::2")  # between host and Internet
PORTS = {"http": 80, "https": 443, "echo": 7, "greeter": 13, "reset": 11, "udp": 7, "full": 9, "hold": 19,
         "other": 8080}

log_lock, log_lines = threading.Lock(), []


def log(**what):
    with log_lock:
        log_lines.append(what)


def run(*words):
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    if done.returncode:
        raise SystemExit("%s: %s" % (" ".join(words), done.stdout))


def batch(*lines):
    """Those that this kernel takes."""
    subprocess.run(["ip", "-force", "-batch", "-"], input="\n".join(lines), text=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=False)


libc = ctypes.CDLL(None, use_errno=True)


class Namespace:
    """A network namespace; `with` one, this thread is in it."""

    def __init__(self):
        self.fd = os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)

    def __enter__(self):
        self.before = os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
        self.enter(self.fd)

    def __exit__(self, *_):
        self.enter(self.before)
        os.close(self.before)

    @staticmethod
    def enter(fd):
        if libc.setns(fd, 0x40000000):
            raise SystemExit("setns: %s" % os.strerror(ctypes.get_errno()))


class Here:
    """Where there is one namespace only."""

    def __enter__(self):
        pass

    def __exit__(self, *_):
        pass


def make_internet():
    """-> the host's namespace, which is the one that we are in, and the Internet's"""
    host = Namespace()
    if libc.unshare(0x40000000):
        raise SystemExit("unshare: %s" % os.strerror(ctypes.get_errno()))
    internet = Namespace()
    Namespace.enter(host.fd)
    for place in (host, internet):
        with place, open("/proc/sys/net/ipv6/conf/default/accept_dad", "w", encoding="ascii") as f:
            f.write("0")  # else the link's addresses are of no use for a second
    run("ip", "link", "add", "host", "type", "veth", "peer", "name", "internet")
    run("ip", "link", "set", "internet", "netns", "/proc/%d/fd/%d" % (os.getpid(), internet.fd))
    for place, device, ours, theirs, own, own6 in (
        (host, "host", 0, 1, [HOST], [HOST6]), (internet, "internet", 1, 0, PUBLIC + FORBIDDEN, PUBLIC6 + FORBIDDEN6)):
        with place:
            run("ip", "link", "set", "lo", "up")
            batch("addr add %s/30 dev %s" % (LINK[ours], device), "addr add %s/64 dev %s nodad" % (LINK6[ours], device),
                  *("addr add %s/32 dev lo" % a for a in own), *("addr add %s/128 dev lo nodad" % a for a in own6),
                  "link set %s up" % device)
            if place is host:  # of IPv6 only what is there: hosts without a way to the rest of it are many
                batch("route add default via %s src %s" % (LINK[theirs], HOST),
                      *("route add %s via %s src %s" % (a, LINK6[theirs], HOST6) for a in PUBLIC6 + FORBIDDEN6))
            else:
                batch("route add default via %s" % LINK[theirs], "route add ::/0 via %s" % LINK6[theirs])
    return host, internet


def addresses_of_lo():
    return [a["local"] for a in json.loads(subprocess.run(["ip", "-json", "addr", "show", "dev", "lo"],
                                                          stdout=subprocess.PIPE, check=True).stdout)[0]["addr_info"]]


def make_certificates(place, names, addresses):
    """A CA that lives for this world, and one certificate for all its names."""
    made = lambda name: os.path.join(place, name)
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    run("openssl", "req", "-x509", *key, "-days", "2", "-subj", "/CN=CA of a test", "-keyout", made("ca.key"), "-out",
        made("ca.pem"),
        "-addext", "keyUsage=critical,keyCertSign,cRLSign")
    run("openssl", "req", *key, "-subj", "/CN=server of a test", "-keyout", made("server.key"), "-out",
        made("server.csr"))
    with open(made("server.ext"), "w", encoding="ascii") as f:
        f.write("subjectAltName=%s\n" % ",".join(["DNS:" + n for n in names] + ["IP:" + a for a in addresses]))
    run("openssl", "x509", "-req", "-in", made("server.csr"), "-CA", made("ca.pem"), "-CAkey", made("ca.key"),
        "-CAcreateserial", "-days", "2",
        "-extfile", made("server.ext"), "-out", made("server.pem"))
    os.chmod(made("ca.pem"), 0o644)


def listener(address, port, backlog=512):
    """A listening socket; where the port is 0 any."""
    sock = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if ":" in address:
        sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    sock.bind((address, port))
    sock.listen(backlog)
    return sock


def both(kind, addresses, port):
    """Sockets of one kind on all addresses, on one port; it is tried again where a free port is free for one address
    only."""
    for _ in range(20):
        made = []
        try:
            for a in addresses:
                made.append(kind(a, made[0].getsockname()[1] if made and not port else port))
            return made
        except OSError:
            for s in made:
                s.close()
            if port:
                raise
    raise SystemExit("no port is free for both %s" % " and ".join(addresses))


def udp_socket(address, port):
    sock = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_DGRAM)
    if ":" in address:
        sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    sock.bind((address, port))
    return sock


def has_ipv6_loopback():
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
        return True
    except OSError:
        return False


class World:
    def __init__(self, directory, namespaced):
        self.directory, self.namespaced, self.kept = directory, namespaced, []
        self.host, self.internet = make_internet() if namespaced else (Here(), Here())
        with self.internet:
            self.addresses = addresses_of_lo() if namespaced else ["127.0.0.1"] + ["::1"] * has_ipv6_loopback()
        self.addresses = [a for a in self.addresses if not namespaced or not a.startswith("127.") and a != "::1"]
        self.everywhere = ["0.0.0.0", "::"] if namespaced else self.addresses
        self.ports = dict(PORTS if namespaced else dict.fromkeys(PORTS, 0))
        self.zone = {}
        self.start_plain()
        self.start_tls()
        self.names = dns.Server(self.zone, log)
        udp, tcp, self.ports["dns"] = dns.sockets("127.0.0.1", 53 if namespaced else 0)
        self.names.serve(udp, tcp)

    def each(self, name, start, kind=listener, addresses=None, own=None):
        """In the Internet, and on the host, too: its loopback and its own addresses."""
        with self.internet:
            made = both(kind, addresses or self.everywhere, self.ports[name])
        self.ports[name] = made[0].getsockname()[1]
        if self.namespaced:
            made += both(kind, own or self.everywhere, self.ports[name])
        for sock in made:
            start(sock)

    def start_plain(self):
        web = lambda label: lambda s: self.kept.append(servers.HTTPServer(s, label, log, self.directory))
        self.each("http", web("http"))
        self.each("other", web("other"))
        self.each("echo", lambda s: servers.start_echo(s, log))
        self.each("greeter", lambda s: servers.start_greeter(s, log))
        self.each("reset", lambda s: servers.start_reset(s, log))
        self.each("hold", self.kept.append)  # takes connections and nothing that they carry
        # a socket for each address: an answer has to come from the one that was asked
        self.each("udp", lambda s: servers.start_udp(s, log), udp_socket,
                  [a for a in self.addresses if not a.startswith("fe80")],
                  ["127.0.0.1", "::1", HOST, HOST6])
        with self.internet:
            sock = listener("93.184.216.35" if self.namespaced else "127.0.0.1", self.ports["full"], 0)
            self.ports["full"] = sock.getsockname()[1]
            self.kept += [sock, *servers.fill(sock, sock.getsockname())]

    def start_tls(self):
        names = ["good.test", "*.good.test", "*.wild.test", "localhost"]
        make_certificates(self.directory, names, self.addresses)
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(os.path.join(self.directory, "server.pem"), os.path.join(self.directory, "server.key"))
        self.each("https", lambda s: self.kept.append(servers.HTTPServer(s, "https", log, self.directory, tls)))

    def established(self):
        """TCP connections to our listeners, as the kernel writes their addresses."""
        ports, found = set(self.ports.values()), []
        for path in ("/proc/thread-self/net/tcp", "/proc/thread-self/net/tcp6"):
            with self.internet, open(path, encoding="ascii") as f:
                for line in list(f)[1:]:
                    words = line.split()
                    if words[3] == "01" and int(words[1].rpartition(":")[2], 16) in ports:
                        found.append(words[1] + " " + words[2])
        return found

    def waiting(self):
        """Bytes that TCP sockets of the host, which no program has open, have for our servers, and how many they
        are."""
        sizes = []
        with self.host, open("/proc/thread-self/net/tcp", encoding="ascii") as f:
            for words in map(str.split, list(f)[1:]):
                sizes += [int(words[4].partition(":")[0], 16)] * (words[9] == "0"
                                                                  and int(words[4].partition(":")[0], 16) > 1)
        return {"sockets": len(sizes), "bytes": sum(sizes)}

    def obey(self, order):
        if order["do"] == "log":
            with log_lock:
                lines, log_lines[:] = log_lines[:], []
            return {"log": lines}
        if order["do"] == "zone":
            self.zone.clear()
            self.zone.update(order["zone"])
            self.names.asked.clear()
            self.names.names.clear()
            return {}
        if order["do"] == "established":
            return {"established": self.established()}
        if order["do"] == "waiting":
            return self.waiting()
        if order["do"] == "host address":
            with self.host:
                run("ip", "addr", "add", order["address"], "dev", "lo")
            return {}
        return {"error": "unknown: %r" % order}


def main():
    world = World(sys.argv[1], sys.argv[2] == "namespace")
    print(json.dumps({"ready": True, "ports": world.ports, "addresses": world.addresses}), flush=True)
    for line in sys.stdin:
        print(json.dumps(world.obey(json.loads(line))), flush=True)
    shutil.rmtree(world.directory, ignore_errors=True)
    os._exit(0)  # not waiting for a server's threads


if __name__ == "__main__":
    main()
