"""Nodes show each other certificates: what says that a node has passed it on is believed of a living node only
(fleet.certificate, docs/fleet.md)."""
import contextlib
import os
import subprocess

import helpers
import load
import pytest
from haproxy import free_port
from postgresql import PostgreSQL
from service import BASE, Service, error_of
from test_fleet_owner import HOP, command, merge, readable_directory
from test_sessions import Session

A, B, C = "127.0.0.2", "127.0.0.3", "127.0.0.4"


class Authority:
    def __init__(self, place):
        self.place, self.file = place, str(place / "ca.pem")
        self.openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                     "-subj", "/CN=ours", "-keyout", "ca.key", "-out", "ca.pem")

    def openssl(self, *words):
        subprocess.run(["openssl", *words], cwd=self.place, check=True, capture_output=True, timeout=60)

    def sign(self, name, names, usage="serverAuth,clientAuth", days="2"):
        """-> paths of a certificate and its key, which a service of root's reads as another user"""
        (self.place / "more").write_text("basicConstraints=CA:FALSE\nsubjectAltName=%s\n%s" % (
            names, "extendedKeyUsage=%s\n" % usage if usage else ""))
        self.openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=" + name,
                     "-keyout", name + ".key", "-out", name + ".req")
        self.openssl("x509", "-req", "-in", name + ".req", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                     "-days", days, "-extfile", "more", "-out", name + ".pem")
        key = self.place / (name + ".key")
        key.chmod(0o640)
        if helpers.is_root():
            os.chown(key, 0, 65534)  # of whom a service of root's becomes
        return str(self.place / (name + ".pem")), str(key)


class Node(Service):
    """At an address of its own, by which the others know it."""
    authority = None

    def __init__(self, database, name, host, fleet=(), tls=True, user="sandbox"):
        self.port = free_port()
        own = self.authority.sign(name, "IP:" + host)
        fleet = {"address": "https://%s:%d" % (host, self.port), "ca_file": self.authority.file,
                 "certificate": own[0], "key": own[1], **dict(fleet)}
        config = merge(load.UNLIMITED, database.config(name, user),
                       {"fleet": {key: value for key, value in fleet.items() if value is not None}},
                       {"endpoints": {"api": {"tls": {"certificate": own[0], "key": own[1]}}}} if tls else {})
        super().__init__(config, options=["--listen", "%s:%d" % (host, self.port)], start=False)

    @staticmethod
    def connection():
        s = Service.connection()
        s.verify = Node.authority.file
        return s


@pytest.fixture(scope="module")
def world():
    with contextlib.ExitStack() as stack:
        place = stack.enter_context(readable_directory())
        database = PostgreSQL()
        stack.callback(database.close)
        Node.authority = Authority(place)
        a, b = (stack.enter_context(Node(database, name, host)) for name, host in (("a", A), ("b", B)))
        assert command(a, "store", "migrate").returncode == 0
        a.start()
        b.start()
        b.key = a.key
        yield database, a, b


def hop(node, certificate, path="/sessions", headers=HOP):
    s = node.connection()
    s.cert = certificate
    with s:
        return s.get(node.url + BASE + path,
                     headers={"Authorization": "Bearer " + node.key, **headers}, timeout=60)


def refused(node, certificate):
    said = error_of(hop(node, certificate), 503, "unavailable")
    assert said["details"]["rule"] == "node_certificate" and "fleet.certificate" in said["details"]["remedy"], said
    return True


def test_nodes_that_show_certificates_pass_requests_on(world):
    _, a, b = world
    e = a.submit("echo x > out.txt; echo done", "bash")
    a.finished(e)
    assert b.request("GET", "/executions/%s/artifacts" % e).content == \
        a.request("GET", "/executions/%s/artifacts" % e).content
    s = Session(a, key=a.override())
    s.service = b
    assert s.run("echo there > here; cat here")["stdout"] == "there\n"
    data = bytes(range(256)) * 4000
    assert s.ask("PUT", "/files/big", data=iter([data[:100000], data[100000:]])).status_code == 200
    assert s.ask(path="/files/big").content == data
    everywhere = b.request("GET", "/sessions").json()
    assert everywhere["missing_nodes"] == [] and s.id in [x["session_id"] for x in everywhere["sessions"]]


def test_clients_need_no_certificate(world):
    _, a, _ = world
    assert hop(a, None, headers={}).status_code == 200
    stranger = Node.authority.sign("client", "DNS:client.example.com")
    assert hop(a, stranger, headers={}).status_code == 200, "one that is no node's is as good as none"


def test_who_says_that_a_node_has_sent_it_and_is_none_is_refused(world):
    database, a, b = world
    assert hop(a, Node.authority.sign("again", "IP:" + B)).status_code == 200, "b's name, from the same authority"
    assert refused(a, None)
    with readable_directory() as place:
        assert refused(a, Authority(place).sign("b", "IP:" + B)), "another authority"
    for names, usage, days in (("IP:127.0.0.9", "clientAuth", "2"), ("DNS:b", "clientAuth", "2"),
                               ("DNS:*.0.0.3,DNS:*", "clientAuth", "2"), ("IP:" + A, "clientAuth", "2"),
                               ("IP:" + B, "serverAuth", "2"), ("IP:" + B, "clientAuth", "-1")):
        assert refused(a, Node.authority.sign("other", names, usage, days)), (names, usage, days)
    assert hop(b, Node.authority.sign("other", "IP:" + A, None)).status_code == 200, "for whatever it is used"


def test_a_node_that_is_cut_off_or_dead_is_none(world):
    database, a, _ = world
    own = Node.authority.sign("c", "IP:" + C)
    assert refused(a, own)
    database.ask("INSERT INTO nodes(name, pid, start, place, seen_ms, version, address) SELECT 'c', 1, 1, 'x y c', "
                 "seen_ms, version, 'https://%s:1' FROM nodes WHERE name = 'a'" % C)
    assert hop(a, own).status_code == 200
    database.ask("UPDATE nodes SET seen_ms = seen_ms - 70000 WHERE name = 'c'")
    assert refused(a, own)
    database.ask("UPDATE nodes SET seen_ms = seen_ms + 70000 WHERE name = 'c'")
    assert hop(a, own).status_code == 200
    said = command(a, "fleet", "cut-off", "c")  # it has no role of its own, which the command says
    assert said.returncode and database.ask("SELECT cut_ms > 0 FROM nodes WHERE name = 'c'") == "t", said.stderr
    assert refused(a, own)
    database.ask("DELETE FROM nodes WHERE name = 'c'")


def test_a_certificate_is_renewed_without_a_restart(world):
    _, a, b = world
    e = a.submit("echo x", "bash")
    a.finished(e)
    Node.authority.sign("b", "IP:" + B, days="-1")
    said = error_of(b.request("GET", "/executions/%s/artifacts" % e), 503, "unavailable")
    assert said["details"]["rule"] == "node_certificate", said
    missing = b.request("GET", "/sessions").json()["missing_nodes"]
    assert [x["node"] for x in missing] == ["a"] and "certificate" in missing[0]["reason"], missing
    Node.authority.sign("b", "IP:" + B)
    assert b.request("GET", "/executions/%s/artifacts" % e).status_code == 200


def test_while_certificates_are_brought_to_the_nodes(world):
    """One that has its own already asks and is asked by one that has none yet."""
    database, a, _ = world
    with Node(database, "d", C, {"require_certificate": False}) as d, \
            Node(database, "e", "127.0.0.5", {"certificate": None, "key": None}) as e:
        for node in (d, e):
            node.start()
            node.key = a.key
        assert "fleet.certificate is not set" in e.logs and "fleet.certificate is" not in d.logs
        for here, there, status in ((d, e, 200), (e, d, 200), (d, a, 200), (a, d, 200), (e, a, 503)):
            x = there.submit("echo x", "bash")
            there.finished(x)
            assert here.request("GET", "/executions/%s/artifacts" % x).status_code == status, (here.url, there.url)


@pytest.mark.parametrize("fleet, tls, said", [({"key": None}, True, "belong together"),
                                              ({"certificate": None}, True, "belong together"),
                                              ({"ca_file": None}, True, "set fleet.ca_file"),
                                              ({"ca_file": "/nowhere/ca.pem"}, True, "fleet.ca_file /nowhere/ca.pem"),
                                              ({"key": "/nowhere/key"}, True, "fleet.key /nowhere/key"),
                                              ({}, False, "endpoints.api.tls"),
                                              ({"address": "http://127.0.0.1:1"}, True, "https://")])
def test_a_half_of_it_is_refused_at_the_start(world, fleet, tls, said):
    with Node(world[0], "f", C, fleet, tls) as f:
        ended = subprocess.run(f.words(), env=f.env, capture_output=True, text=True, timeout=60)
        assert ended.returncode and said in ended.stderr, ended.stderr


def test_a_key_that_others_may_read_is_refused(world):
    with Node(world[0], "f", C) as f:
        (Node.authority.place / "f.key").chmod(0o644)
        ended = subprocess.run(f.words(), env=f.env, capture_output=True, text=True, timeout=60)
        assert ended.returncode and "fleet.key" in ended.stderr + "" or "endpoints.api.tls.key" in ended.stderr
