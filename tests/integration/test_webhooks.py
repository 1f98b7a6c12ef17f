"""Webhooks as a receiver sees them: signed, tried again, bounded, and nowhere that nobody allowed.

The sender is a small program of our own around the service's webhooks (webhook_posts.c: pauses between attempts begin
at 40 ms instead of a second); receivers are servers on loopback.
"""
import json
import re
import socket
import ssl
import subprocess

import pytest

from helpers import PATIENCE, skip
from objects import program
from receiver import Receiver, documented_verify

EVENTS = ("execution_started", "execution_completed", "execution_failed", "security_violation")


@pytest.fixture(scope="module")
def sender(tmp_path_factory):
    return program("webhook_posts", tmp_path_factory.mktemp("webhooks"), ["-lcurl", "-lnettle", "-lsodium", "-pthread"])


class Running:
    def __init__(self, program, state, words, env):
        self.state = state
        self.process = subprocess.Popen([program, str(state), *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, env=env)

    def say(self, *lines):
        for line in lines:
            self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def add(self, count=1, event="execution_completed"):
        self.say(*['add %s {"n":%d}' % (event, i) for i in range(count)])

    def wait(self):
        self.say("wait")
        return counts(self.process.stdout.readline())

    def close(self, ms=0):
        self.say("close %d" % ms)
        out, self.log = self.process.communicate(timeout=PATIENCE)
        assert self.process.returncode == 0, self.log
        return counts(out.splitlines()[-1])


def counts(line):
    return {k: int(v) for k, v in re.findall(r"(\w+)=(\d+)", line)}


@pytest.fixture
def start(sender, tmp_path):
    started = []

    def begin(*words, allow_private=True, env=None):
        state = tmp_path / "state"
        r = Running(sender, state, ["enabled=true", "allow_private=%s" % str(allow_private).lower(), *words],
                    env or {"PATH": "/usr/bin:/bin"})
        started.append(r)
        return r
    yield begin
    for r in started:
        if r.process.poll() is None:
            r.process.kill()
        r.process.communicate()


def secret_of(running):
    return (running.state / "webhook.secret").read_bytes()


# ---- what arrives ----

def test_every_event_arrives_signed_as_the_document_says(start):
    verify = documented_verify()
    with Receiver() as server:
        r = start("url=" + server.url)
        for event in EVENTS:
            r.add(event=event)
        assert r.wait() == {"sent": 4, "failed": 0, "retried": 0, "dropped": 0, "waiting": 0}
        secret = secret_of(r)
        assert (r.state / "webhook.secret").stat().st_mode & 0o7777 == 0o600
        assert sorted(h["X-Sandbox-Event"] for _, h, _ in server.posts) == sorted(EVENTS)
        for path, headers, body in server.posts:
            event = json.loads(body)
            assert path == "/hook" and headers["Content-Type"] == "application/json"
            assert list(event) == ["id", "type", "created", "data"] and event["data"] == {"n": 0}
            assert (event["id"], event["type"]) == (headers["X-Sandbox-Delivery"], headers["X-Sandbox-Event"])
            assert verify(secret, headers, body)
            assert not verify(secret, headers, body + b" ") and not verify(b"x" + secret, headers, body)
            assert not verify(secret, dict(headers,
                                           **{"X-Sandbox-Timestamp": str(int(headers["X-Sandbox-Timestamp"]) + 1)}),
                                           body)
            assert not verify(secret, headers, body, now=int(headers["X-Sandbox-Timestamp"]) + 301)
        r.close()
        assert secret.strip().decode() not in r.log


def test_a_secret_of_ones_own_is_used_and_none_is_made(start, tmp_path):
    own = tmp_path / "own"
    own.write_text("this is a secret of our own\n")
    own.chmod(0o600)
    with Receiver() as server:
        r = start("url=" + server.url, "secret_file=%s" % own)
        r.add()
        r.wait()
        _, headers, body = server.posts[0]
        assert documented_verify()(b"this is a secret of our own", headers, body)
        assert not r.state.exists()
        own.chmod(0o644)
        refused = start("url=" + server.url, "secret_file=%s" % own)
        assert refused.process.wait(PATIENCE) == 1 and "chmod 0600" in refused.process.stderr.read()


def test_only_events_that_are_asked_for_are_posted(start):
    with Receiver() as server:
        r = start("url=" + server.url, "events=execution_failed")
        for event in EVENTS:
            r.add(event=event)
        r.say('alert {"condition":"banned"}')
        assert r.wait()["sent"] == 1
        assert [h["X-Sandbox-Event"] for _, h, _ in server.posts] == ["execution_failed"]


def test_alerts_are_posted_where_their_channels_name_webhook(start):
    with Receiver() as server:
        r = start("url=" + server.url, "events=execution_failed", "channel=webhook")
        r.say('alert {"condition":"banned"}')
        assert r.wait()["sent"] == 1
        assert (json.loads(server.posts[0][2])["type"] == "alert"
                and json.loads(server.posts[0][2])["data"] == {"condition": "banned"})


def test_an_alert_channel_without_webhooks_is_told(start):
    r = start("enabled=false", "channel=webhook")
    r.close()
    assert "monitoring.alerts.channels names webhook" in r.log


def test_nothing_is_made_or_sent_while_webhooks_are_off(start):
    with Receiver() as server:
        r = start("url=" + server.url, "enabled=false")
        r.add(5)
        assert r.wait() == {"sent": 0, "failed": 0, "retried": 0, "dropped": 0, "waiting": 0}
        assert not server.connections and not r.state.exists()


# ---- again ----

def test_a_receiver_that_fails_twice_gets_the_same_delivery_a_third_time(start):
    verify = documented_verify()
    with Receiver([500, 503, 204]) as server:
        r = start("url=" + server.url)
        r.add()
        assert r.wait() == {"sent": 1, "failed": 0, "retried": 2, "dropped": 0, "waiting": 0}
        assert len(server.posts) == 3
        assert len({h["X-Sandbox-Delivery"] for _, h, _ in server.posts}) == 1
        assert len({body for _, _, body in server.posts}) == 1
        assert all(verify(secret_of(r), h, body) for _, h, body in server.posts)


def test_attempts_end(start):
    with Receiver(503) as server:
        r = start("url=" + server.url + "/with/a/token", "max_attempts=3")
        r.add()
        assert r.wait() == {"sent": 0, "failed": 1, "retried": 2, "dropped": 0, "waiting": 0}
        assert len(server.posts) == 3
        r.close()
        assert "given up after 3 attempts: it answered 503" in r.log and "token" not in r.log


@pytest.mark.parametrize("status", [400, 401, 404, 410])
def test_what_the_receiver_refuses_is_not_tried_again(start, status):
    with Receiver(status) as server:
        r = start("url=" + server.url)
        r.add()
        assert r.wait() == {"sent": 0, "failed": 1, "retried": 0, "dropped": 0, "waiting": 0}
        assert len(server.posts) == 1


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_redirects_are_not_followed(start, status):
    with Receiver() as target, Receiver(lambda h, n: target.say(h, status, Location=target.url)) as server:
        r = start("url=" + server.url)
        r.add()
        assert r.wait()["failed"] == 1
        assert len(server.posts) == 1 and not target.connections


def test_retry_after_is_waited_for(start):
    with Receiver(lambda h, n: server.say(h, 429, Retry_After="1") if n == 1 else server.say(h, 200)) as server:
        r = start("url=" + server.url)
        r.add()
        assert r.wait()["sent"] == 1
        first, second = (int(h["X-Sandbox-Timestamp"]) for _, h, _ in server.posts)
        assert second - first >= 1


def test_nobody_listening_is_tried_again_and_given_up(start):
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))  # bound, not listening: refused
        r = start("url=http://127.0.0.1:%d/" % s.getsockname()[1], "max_attempts=3")
        r.add()
        assert r.wait() == {"sent": 0, "failed": 1, "retried": 2, "dropped": 0, "waiting": 0}


def test_a_receiver_that_does_not_answer_costs_its_time_and_no_more(start):
    with Receiver(lambda h, n: server.hold(h, n)) as server:
        r = start("url=" + server.url, "timeout=500ms", "max_attempts=2")
        r.add()
        assert r.wait() == {"sent": 0, "failed": 1, "retried": 1, "dropped": 0, "waiting": 0}
        server.wait_for(2)
        assert len(server.posts) == 2


def test_a_receiver_that_breaks_off_is_tried_again(start):
    with Receiver(lambda h, n: h.connection.shutdown(socket.SHUT_RDWR) if n == 1 else server.say(h, 200)) as server:
        r = start("url=" + server.url)
        r.add()
        assert r.wait()["sent"] == 1 and len(server.posts) == 2


# ---- one does not hold up another ----

def test_a_slow_receiver_holds_up_nobody_else(start):
    with Receiver(lambda h, n: slow.hold(h, n)) as slow, Receiver() as fast:
        r = start("url=" + slow.url, "url=" + fast.url)
        r.add(40)
        fast.wait_for(40)
        slow.wait_for(4)
        assert len(slow.posts) == 4  # under way, and no more
        slow.go_on.set()
        assert r.wait()["sent"] == 80 and len(slow.posts) == 40


def test_what_finds_no_room_is_dropped_counted_and_told_once(start):
    with Receiver(lambda h, n: slow.hold(h, n)) as slow, Receiver() as fast:
        r = start("url=" + slow.url, "url=" + fast.url, "queue_size=20")
        for i in range(6):
            r.add(5)
            fast.wait_for(5 * i + 5)
        slow.go_on.set()
        assert r.wait() == {"sent": 40, "failed": 0, "retried": 0, "dropped": 20, "waiting": 0}
        r.close()
        assert r.log.count("were dropped") == 1 and len(fast.posts) == 30


def test_an_event_that_is_too_large_is_dropped(start):
    with Receiver() as server:
        r = start("url=" + server.url)
        r.say('add execution_started {"x":"%s"}' % ("x" * 70000), 'add execution_started {"x":"%s"}' % ("x" * 60000))
        assert r.wait() == {"sent": 1, "failed": 0, "retried": 0, "dropped": 1, "waiting": 0}


def test_endless_answers_are_not_read(start):
    written = []

    def pour(handler, number):
        handler.send_response(200)
        handler.send_header("Content-Length", str(1 << 30))
        if number == 2:
            handler.flush_headers()
            while True:  # the head does not end either
                handler.wfile.write(b"X-More: %s\r\n" % (b"x" * 1000))
                written.append(1000)
        handler.end_headers()
        while True:
            handler.wfile.write(b"x" * 65536)
            written.append(65536)
    with Receiver(pour) as server:
        r = start("url=" + server.url)
        r.add()
        assert r.wait()["sent"] == 1
        r.add()
        assert r.wait()["sent"] == 2
        assert sum(written) < 64 << 20  # what fits into sockets' buffers


# ---- another configuration, and the end ----

def test_what_waits_goes_to_where_it_was_meant_for(start):
    with Receiver(lambda h, n: old.hold(h, n)) as old, Receiver() as new:
        r = start("url=" + old.url)
        r.add(6)
        old.wait_for(4)
        r.say("set enabled=true allow_private=true url=" + new.url)
        r.add(3)
        new.wait_for(3)
        old.go_on.set()
        assert r.wait()["sent"] == 9
        assert (len(old.posts), len(new.posts)) == (6, 3)


def test_a_configuration_that_cannot_be_leaves_the_old_one(start):
    with Receiver() as server:
        r = start("url=" + server.url)
        r.say("set enabled=true url=file:///etc/passwd")
        r.add()
        assert r.wait()["sent"] == 1
        r.close()
        assert "the configuration of before still holds" in r.log


def test_private_addresses_are_no_longer_posted_to_when_that_is_taken_back(start):
    with Receiver() as server:
        r = start("url=" + server.url.replace("127.0.0.1", "localhost"))
        r.add()
        assert r.wait()["sent"] == 1
        r.say("set enabled=true allow_private=false url=" + server.url.replace("127.0.0.1", "localhost"))
        r.add()
        assert r.wait()["failed"] == 1
        assert len(server.posts) == 1


def test_the_end_waits_for_what_can_be_delivered(start):
    with Receiver([503, 200]) as server:
        r = start("url=" + server.url)
        r.add(3)
        assert r.close(30000) == {"sent": 3, "failed": 0, "retried": 1, "dropped": 0, "waiting": 0}
        assert "given up" not in r.log


def test_the_end_gives_up_what_cannot(start):
    with Receiver(lambda h, n: server.hold(h, n)) as server:
        r = start("url=" + server.url, "timeout=1h")
        r.add(6)
        server.wait_for(4)
        assert r.close(100) == {"sent": 0, "failed": 0, "retried": 0, "dropped": 6, "waiting": 0}
        assert "6 posts were given up" in r.log


# ---- where to ----

def test_without_allow_private_nothing_connects_to_loopback(start):
    with Receiver() as server:
        r = start("url=" + server.url.replace("127.0.0.1", "localhost"), allow_private=False)
        r.add(3)
        assert r.wait() == {"sent": 0, "failed": 3, "retried": 0, "dropped": 0, "waiting": 0}
        r.close()
        assert "allow_private" in r.log and "loopback" in r.log
        assert not server.connections and not server.posts


@pytest.mark.parametrize("host", ["127.0.0.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "10.0.0.1", "0.0.0.0"])
def test_literal_private_addresses_are_refused_at_the_start(start, host):
    r = start("url=http://%s:1/" % host, allow_private=False)
    assert r.process.wait(PATIENCE) == 1
    assert "endpoints.webhooks.allow_private" in r.process.stderr.read()


def test_the_metadata_service_is_refused_even_when_private_addresses_are_allowed(start):
    r = start("url=http://169.254.169.254/latest")
    assert r.process.wait(PATIENCE) == 1
    assert "metadata" in r.process.stderr.read()


def test_proxies_and_passwords_of_the_environment_are_not_used(start, tmp_path):
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login somebody password secret\n")
    (tmp_path / ".curlrc").write_text("header = \"X-Curlrc: yes\"\n")
    with Receiver() as proxy, Receiver() as server:
        at = "http://127.0.0.1:%d" % proxy.server_port
        env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "http_proxy": at, "HTTP_PROXY": at, "ALL_PROXY": at,
               "all_proxy": at}
        r = start("url=" + server.url, env=env)
        r.add()
        assert r.wait()["sent"] == 1
        assert not proxy.connections
        assert not {"Authorization", "X-Curlrc", "Expect"} & set(server.posts[0][1])


def test_a_certificate_that_nobody_vouches_for_is_not_trusted(start, tmp_path):
    made = subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out",
                           "cert.pem", "-days", "2", "-subj",
                           "/CN=localhost"], cwd=tmp_path, capture_output=True)
    if made.returncode:
        skip("openssl cannot make a certificate")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    with Receiver() as server:
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        r = start("url=https://localhost:%d/hook" % server.server_port)
        r.add()
        assert r.wait() == {"sent": 0, "failed": 1, "retried": 0, "dropped": 0, "waiting": 0}
        assert not server.posts
        r.close()
        assert "certificate" in r.log.lower()


def test_two_that_begin_at_once_have_the_same_secret(start):
    with Receiver() as server:
        both = [start("url=" + server.url) for _ in range(2)]
        for r in both:
            r.add()
        for r in both:
            assert r.wait()["sent"] == 1
        assert all(documented_verify()(secret_of(both[0]), headers, body) for _, headers, body in server.posts)
        assert [p.name for p in both[0].state.iterdir()] == ["webhook.secret"]
