"""A HAProxy of a test's own with deploy/fleet/haproxy.cfg, before services on this machine."""
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile

import helpers
from service import Service

SHIPPED = helpers.ROOT / "deploy/fleet/haproxy.cfg"


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as s:
        return s.getsockname()[1]


def certificate(directory):
    """-> path of what a client trusts; fleet.pem is what the door shows, nodes-ca.pem who signs the nodes'"""
    key, cert = directory / "key.pem", directory / "nodes-ca.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                    "-subj", "/CN=fleet.test", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2", "-keyout", key,
                    "-out", cert], check=True, capture_output=True)
    (directory / "fleet.pem").write_text(key.read_text() + cert.read_text())
    return cert


class HAProxy:
    """One address for services that are given as name -> port, or what else a line `server` says."""
    def __init__(self, nodes):
        self.program = shutil.which("haproxy", path="/usr/sbin:/usr/bin:/usr/local/sbin")
        if not self.program:
            helpers.skip("haproxy is not installed (apt-get install haproxy)")
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="test-haproxy-"))
        self.certificate, self.process = certificate(self.dir), None
        self.port, self.config, self.env = free_port(), self.dir / "haproxy.cfg", {"FLEET_CERTS": str(self.dir)}
        self.config.write_text(self.text(nodes))
        self.url = "https://127.0.0.1:%d" % self.port
        self.start()

    def start(self):
        with open(self.dir / "log", "ab") as log:
            self.process = subprocess.Popen([self.program, "-db", "-f", self.config], env=self.env, stdout=log,
                                            stderr=log)
        helpers.residents.add(self.process.pid)

    def text(self, nodes):
        """The shipped one with other addresses: its own port, and, where a port is given, nodes that speak no TLS."""
        servers = "".join("    server %s %s\n" % (name, "127.0.0.1:%d" % to if isinstance(to, int) else to)
                          for name, to in nodes.items())
        text, count = re.subn(r"(?:    server node-\d .*\n)+", servers, SHIPPED.read_text())
        assert count == 2, "each backend has its servers"
        text, count = re.subn(r"bind :8443", "bind 127.0.0.1:%d" % self.port, text)
        assert count == 1
        return text

    def check(self, path):
        return subprocess.run([self.program, "-c", "-f", path], env=self.env, capture_output=True, text=True)

    def end(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        self.process.wait(60)
        helpers.residents.discard(self.process.pid)

    def close(self):
        if self.process:
            self.end()
        shutil.rmtree(self.dir)


class Door(Service):
    """What a client sees of several services: the methods of one, at the proxy's address."""
    def __init__(self, proxy, key):  # no service is started: its nodes are others'
        self.url, self.key, self.proxy, self.process = proxy.url, key, proxy, None
        self.session = self.connection()

    def connection(self):
        s = Service.connection()
        s.verify = str(self.proxy.certificate)
        return s
