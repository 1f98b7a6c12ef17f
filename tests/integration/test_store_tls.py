"""The way to PostgreSQL by TLS: with a server whose authority is the test's own, on a loopback port."""
import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile

import helpers
import pytest
from postgresql import PostgreSQL


def openssl(place, *words):
    if not shutil.which("openssl"):
        helpers.skip("openssl is not installed")
    subprocess.run(["openssl", *words], cwd=place, check=True, capture_output=True, timeout=60)


def authority(place, name):
    openssl(place, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=" + name, "-keyout", name + ".key", "-out", name + ".pem")


def certificate(place, name, subject, extension="basicConstraints=CA:FALSE"):
    openssl(place, "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=" + subject,
            "-addext", extension, "-keyout", name + ".key", "-out", name + ".req")
    openssl(place, "x509", "-req", "-in", name + ".req", "-CA", "ours.pem", "-CAkey", "ours.key", "-CAcreateserial",
            "-days", "2", "-copy_extensions", "copy", "-out", name + ".pem")
    (place / (name + ".key")).chmod(0o600)


def with_tls(server):
    """Who comes by TCP has to show a certificate of the role."""
    authority(server.dir, "ours")
    certificate(server.dir, "server", "localhost", "subjectAltName=DNS:localhost")
    (server.dir / "data/pg_hba.conf").write_text("local all all trust\nhostssl all sandbox all cert\n"
                                                 "hostnossl all all all trust\n")
    if helpers.is_root():
        for path in [server.dir / "data/pg_hba.conf", *server.dir.glob("server.*")]:
            os.chown(path, server.user.pw_uid, server.user.pw_gid)
    with socket.create_server(("127.0.0.1", 0)) as s:
        server.port = s.getsockname()[1]
    return ["-c", "listen_addresses=127.0.0.1", "-p", str(server.port), "-c", "ssl=on", "-c",
            "ssl_ca_file=%s/ours.pem" % server.dir, "-c", "ssl_cert_file=%s/server.pem" % server.dir, "-c",
            "ssl_key_file=%s/server.key" % server.dir]


@pytest.fixture(scope="module")
def world():
    with contextlib.ExitStack() as stack:
        node = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = PostgreSQL(with_tls)
        stack.callback(server.close)
        for name in ("ours.pem", "ours.key"):
            shutil.copy(server.dir / name, node / name)
        certificate(node, "node", "sandbox")
        certificate(node, "stranger", "stranger")
        authority(node, "others")
        yield server, node


def migrate(world, **more):
    server, node = world
    store = {"backend": "postgresql", "host": "localhost", "port": server.port, "database": "postgres",
             "user": "sandbox", "node": "a", "ca_file": str(node / "ours.pem"), "certificate": str(node / "node.pem"),
             "key": str(node / "node.key"), **more}
    state = {"sandbox": {"paths": {"state_dir": str(node), "log_dir": str(node)}}}
    config = node / "config.yaml"
    config.write_text(helpers.to_yaml({**state, "store": {k: v for k, v in store.items() if v}}))
    return subprocess.run([helpers.AGENT, "store", "migrate", "--config", config], capture_output=True, text=True,
                          timeout=60, env={"PATH": "/usr/bin:/bin", "HOME": str(node),
                                           "XDG_CACHE_HOME": str(node / "cache")})  # root's would be the machine's


def test_a_server_of_our_authority_with_its_name_is_accepted_and_sees_our_certificate(world):
    said = migrate(world)
    assert said.returncode == 0, said.stderr


@pytest.mark.parametrize("change, why", [
    ({"ca_file": "others.pem"}, "certificate verify failed"),
    ({"ca_file": None}, "certificate verify failed"),
    ({"host": "127.0.0.1"}, "does not match host name"),
    ({"certificate": None, "key": None}, "requires a valid client certificate"),
    ({"certificate": "stranger.pem", "key": "stranger.key"}, "certificate authentication failed"),
], ids=lambda x: "-".join("%s=%s" % i for i in x.items()) if isinstance(x, dict) else "")
def test_anything_else_is_refused(world, change, why):
    more = {k: str(world[1] / v) if v and k != "host" else v for k, v in change.items()}
    said = migrate(world, **more)
    assert said.returncode != 0 and why in said.stderr, said.stderr


def test_a_server_without_tls_is_refused_although_it_would_let_us_in(world):
    server, _ = world
    server.stop()
    server.words[server.words.index("ssl=on")] = "ssl=off"
    server.start()
    said = migrate(world)
    assert said.returncode != 0 and "does not support SSL" in said.stderr, said.stderr
