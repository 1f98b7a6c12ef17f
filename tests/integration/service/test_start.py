"""Starting with files as root makes them, and ending in a hurry."""
import os
import pwd
import signal
import socket
import ssl
import subprocess
import time
import urllib.parse
import urllib.request

import helpers
import load
import pytest
from service import USER, preloaded


@pytest.fixture
def certificate(tmp_path):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-addext",
                    "subjectAltName=DNS:localhost,IP:127.0.0.1",
                    "-days", "2", "-keyout", "key.pem", "-out", "cert.pem"], cwd=tmp_path, check=True,
                    capture_output=True)
    return tmp_path


def with_tls(make_service, certificate, mode, owner=None):
    """The files lie in the service's directory, which it may enter."""
    s = make_service(load.UNLIMITED, start=False)
    for name in ("cert.pem", "key.pem"):
        (s.dir / name).write_bytes((certificate / name).read_bytes())
    (s.dir / "cert.pem").chmod(0o644)
    (s.dir / "key.pem").chmod(mode)
    if owner is not None:
        os.chown(s.dir / "key.pem", owner, owner)
    s.configure({**load.UNLIMITED,
                 "endpoints": {"api": {"tls": {"certificate": str(s.dir / "cert.pem"),
                                               "key": str(s.dir / "key.pem")}}}})
    return s


def test_a_key_of_tls_with_mode_0600_is_read_by_whoever_starts(make_service, certificate):
    s = with_tls(make_service, certificate, 0o600)  # root's, where root starts it
    s.start(wait=False)
    assert not helpers.poll(lambda: "listening on https" not in s.stdout and s.process.poll() is None, 60)
    assert "listening on https" in s.stdout, s.logs
    port = urllib.parse.urlsplit(s.stdout.split("listening on ")[1].split()[0]).port
    trust = ssl.create_default_context(cafile=str(s.dir / "cert.pem"))
    with urllib.request.urlopen("https://localhost:%d/healthz" % port, context=trust, timeout=60) as answer:
        assert answer.status == 200


@pytest.mark.parametrize("mode", [0o644, 0o604, 0o602, 0o620, 0o666], ids=oct)
def test_a_key_of_tls_that_others_can_read_or_change_is_refused(make_service, certificate, mode):
    s = with_tls(make_service, certificate, mode)
    s.start(wait=False)
    assert s.wait() == 2
    assert ("key.pem: others can read or change it (mode 0%o)" % mode in s.logs and "chmod 600" in s.logs
            and "sa_" not in s.stdout), s.logs


def test_a_configuration_that_the_service_cannot_read_is_explained(make_service):
    s = make_service(start=False)
    s.config_path.chmod(0o600 if helpers.is_root() else 0)  # root's
    s.start(wait=False)
    assert s.wait() == 2
    assert "config.yaml" in s.logs and "Permission denied" in s.logs and "remedy:" in s.logs, s.logs
    assert "runs as uid" in s.logs and "chmod 640" in s.logs, s.logs
    s.config_path.chmod(0o640)
    if helpers.is_root():
        os.chown(s.config_path, 0, pwd.getpwnam(USER).pw_gid)
    s.start()
    assert s.key


def test_a_reload_that_cannot_read_its_file_is_explained_and_changes_nothing(make_service):
    s = make_service(load.UNLIMITED)
    s.config_path.chmod(0o600 if helpers.is_root() else 0)
    s.hup()
    s.wait_log("reload: the old configuration stays: .*Permission denied.*runs as uid")
    assert s.run("echo on", "bash")["stdout"] == "on\n"


@pytest.mark.parametrize("second", [signal.SIGTERM, signal.SIGINT], ids=["TERM", "INT"])
def test_a_second_signal_ends_the_drain(make_service, second):
    s = make_service(load.UNLIMITED)
    gate = s.gate()
    runs = s.submit(gate.wait, "bash", volumes=gate.volumes)
    assert not helpers.poll(lambda: s.execution(runs)["state"] != "running", 60)
    s.signal(signal.SIGTERM)
    s.wait_log("ending: running executions have 30 s")
    time.sleep(0.5)
    assert s.process.poll() is None, "it did not wait for what runs"
    begin = time.monotonic()
    s.signal(second)
    assert s.wait() == 0
    assert time.monotonic() - begin < 25, "the second signal did not end it"
    assert "are killed" in s.logs
    assert load.audited(s, "execution-finished")[runs] == 1
    s.start()
    assert s.execution(runs)["reason"] == "killed"


def test_one_signal_to_all_of_its_processes_is_one(make_service):
    """A supervisor that tells each process of the group: where root's parent hands it down, the service hears it
    twice."""
    s = make_service(load.UNLIMITED)
    gate = s.gate()
    runs = s.submit(gate.wait + "echo whole", "bash", volumes=gate.volumes)
    assert not helpers.poll(lambda: s.execution(runs)["state"] != "running", 60)
    for pid in s.pids("sandboxd"):
        os.kill(pid, signal.SIGTERM)
    s.wait_log("ending: running executions have 30 s")
    time.sleep(1)
    assert s.process.poll() is None and "are killed" not in s.logs, s.logs
    gate.open()
    assert s.wait() == 0
    s.start()
    assert s.execution(runs)["reason"] == "completed"


def test_with_a_libmicrohttpd_that_cannot_be_checked_it_does_not_start(make_service):
    """Its names of headers are none of its own memory: what stood between them in the request cannot be seen."""
    with preloaded("""#include <microhttpd.h>
            int MHD_get_connection_values_n(struct MHD_Connection *c, enum MHD_ValueKind k, MHD_KeyValueIteratorN e, void *x) { return 0; }""") as env:
        s = make_service(load.UNLIMITED, env=env, start=False)
        s.start(wait=False)
        assert s.wait() == 125
        assert ("libmicrohttpd" in s.logs and "otherwise than this program can check" in s.logs and "remedy:" in s.logs
                and "sa_" not in s.stdout), s.logs


def test_a_target_in_absolute_form_is_served(make_service):
    s = make_service(load.UNLIMITED)
    at = urllib.parse.urlsplit(s.url)
    with socket.create_connection((at.hostname, at.port), timeout=60) as c:
        c.sendall(("GET %s/version HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" % s.url).encode())
        answer = b""
        while chunk := c.recv(65536):
            answer += chunk
    assert answer.startswith(b"HTTP/1.1 200 ") and b'"version"' in answer, answer


def test_all_that_roots_own_runs_have_written_is_given_to_the_service(make_service):
    """Files that a new feature writes belong on the list in daemon/belongings.c: without that the service does not
    start."""
    if not helpers.is_root():
        pytest.skip("only root's service becomes another user")
    s = make_service({"rate_limiting": {"enabled": False}}, start=False)
    for path in (s.state_dir, s.log_dir):
        os.chown(path, 0, 0)
        path.chmod(0o700)
    receipt = s.dir / "receipt.json"
    for words in (["keys", "create", "--name", "first", "--config", s.config_path],
                  ["--config", s.config_path, "--agent-id", "a", "--receipt", receipt, "--risk-level", "low", "--",
                   "/bin/true"],
                  ["audit", "checkpoint", "--config", s.config_path], ["audit", "search", "--config", s.config_path]):
        done = subprocess.run([str(w) for w in (helpers.AGENT, *words)], env=s.env, capture_output=True, text=True,
                              timeout=60)
        assert done.returncode == 0, done.stderr
    chunk = s.state_dir / "snapshots" / ("0" * 64) / "chunks" / ("1" * 64)  # of a service that ran as root
    chunk.parent.mkdir(parents=True)
    chunk.write_bytes(b"x")
    s.start()
    assert s.is_ready() and chunk.stat().st_uid != 0
