"""Alerts to people: e-mail by a mail server of the test's own (TLS with a throw-away certificate), the chats by
receivers of HTTP. What agents wrote stays text: tests/unit/test_messenger.c."""
import base64
import contextlib
import email
import json
import shutil
import socket
import ssl
import subprocess
import threading

import pytest

import helpers
from helpers import poll
from receiver import Handler, Receiver
from service import DAEMON, USER


OFFENCE = "import os\nos.execv('/bin/mount', ['mount', '-t', 'tmpfs', 'x', '/mnt'])"


class ChatHandler(Handler):
    do_PUT = Handler.do_POST


class Chat(Receiver):
    """Also takes Matrix's PUT."""

    def __init__(self, answer=200):
        super().__init__(answer)
        self.RequestHandlerClass = ChatHandler


class MailServer:
    """SMTP, by TLS from the first byte where there is a certificate. What came: (sender, recipients, text), and the
    decoded words of AUTH PLAIN."""

    def __init__(self, certificate=None):
        self.mails, self.logins, self.lock = [], [], threading.Condition()
        self.context = None
        if certificate:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(*certificate)
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                peer = self.socket.accept()[0]
                threading.Thread(target=self.serve, args=(peer,), daemon=True).start()

    def serve(self, peer):
        with contextlib.suppress(OSError, ValueError):
            peer.settimeout(helpers.PATIENCE)
            stream = self.context.wrap_socket(peer, server_side=True) if self.context else peer
            with contextlib.closing(stream), stream.makefile("rwb") as f:
                self.talk(f)

    def talk(self, f):
        def say(words):
            f.write(words.encode() + b"\r\n")
            f.flush()
        say("220 test")
        sender, to = None, []
        for line in f:
            words = line.decode().rstrip("\r\n")
            verb = words.split(" ")[0].upper()
            if verb == "EHLO":
                say("250-test\r\n250 AUTH PLAIN")
            elif verb == "AUTH":
                given = words.split(" ")[2:]
                if not given:
                    say("334 ")
                    given = [f.readline().decode().strip()]
                self.logins.append(base64.b64decode(given[0]).decode())
                say("235 welcome")
            elif verb == "MAIL":
                sender = words
                say("250 ok")
            elif verb == "RCPT":
                to.append(words)
                say("250 ok")
            elif verb == "DATA":
                say("354 go on")
                text = b""
                for part in iter(f.readline, b".\r\n"):
                    text += part
                with self.lock:
                    self.mails.append((sender, to, email.message_from_bytes(text)))
                    self.lock.notify_all()
                say("250 taken")
            elif verb == "QUIT":
                say("221 bye")
                return
            else:
                say("502 no")

    def wait_for(self, count):
        with self.lock:
            assert self.lock.wait_for(lambda: len(self.mails) >= count, helpers.PATIENCE), "%d mails" % len(self.mails)

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.socket.close()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    place = tmp_path_factory.mktemp("tls")
    place.chmod(0o755)
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                    "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                    "-keyout", str(place / "key"), "-out", str(place / "certificate")], check=True, capture_output=True)
    return str(place / "certificate"), str(place / "key")


def secret(service, name, *lines):
    """-> path of a file that the service may read, and others may not"""
    path = service.dir / name
    path.write_text("\n".join(lines) + "\n")
    path.chmod(0o640)
    if helpers.is_root():
        import pwd
        helpers.os.chown(path, 0, pwd.getpwnam(USER).pw_gid)
    return str(path)


def trusted(service, certificate):
    """pytest's own directories are not the service's to enter."""
    return str(shutil.copy(certificate[0], service.dir / "certificate"))


def alerts(channels, **more):
    return {"rate_limiting": {"enabled": False}, "agixt": {"analysis": {"enabled": False}},
            "security": {"responses": {"quarantine_on_violations": 1}},
            "monitoring": {"alerts": {"channels": ["log", *channels], "digest": 0, "conditions": [], **more}}}


def test_a_quarantine_reaches_mail_and_chats_each_in_its_form(make_service, certificate):
    with MailServer(certificate) as mail, Chat() as chat:
        s = make_service(start=False)
        base = "http://127.0.0.1:%d/" % chat.server_port
        channels = ["email:ops@example.org", "slack:" + secret(s, "slack", base + "slack"),
                    "teams:" + secret(s, "teams", base + "teams"),
                    "matrix:" + secret(s, "matrix", base + "_matrix/client/v3/rooms/%21r:h", "token-1")]
        s.configure(alerts(channels, smtp={"url": "smtps://127.0.0.1:%d" % mail.port, "from": "sandbox@example.org",
                                           "user": "box", "password_file": secret(s, "password", "pass word"),
                                           "ca_file": trusted(s, certificate)}))
        s.start()
        done = s.run(OFFENCE, agent_id="bad", risk_level="low", key=s.override())
        standing = s.request("GET", "/agents/bad").json()["standing"]
        assert standing != "good", done
        chat.wait_for(3)
        mail.wait_for(1)
        sender, to, text = mail.mails[0]
        assert "<sandbox@example.org>" in sender and "<ops@example.org>" in to[0]
        assert mail.logins == ["\0box\0pass word"]
        body = text.get_payload(decode=True).decode()
        assert text["Auto-Submitted"] == "auto-generated" and standing + ": agent bad: " in body, body
        posts = {path.split("/")[1]: (headers, json.loads(data)) for path, headers, data in chat.posts}
        assert standing + ": agent bad" in posts["slack"][1]["blocks"][1]["text"]["text"]
        card = posts["teams"][1]["attachments"][0]["content"]
        assert standing + ": agent bad" in card["body"][1]["inlines"][0]["text"]
        headers, matrix = posts["_matrix"]
        assert headers["Authorization"] == "Bearer token-1"
        assert matrix["m.mentions"] == {} and standing in matrix["body"]
        assert [p for p, _, _ in chat.posts if p.startswith("/_matrix/client/v3/rooms/%21r:h/send/m.room.message/")]
        # counted once the receiver's answer has been read
        assert not poll(lambda: 'alert_messages_total{result="sent"} 4' not in s.outside("GET", "/metrics").text)
        for word in ("token-1", "pass word", base + "slack"):
            assert word not in s.logs


def test_a_chat_that_refuses_is_told_and_one_that_is_slow_to_come_gets_it(make_service):
    with Chat(404) as gone, Chat([503, 200]) as late:
        s = make_service(start=False)
        s.configure(alerts(["slack:" + secret(s, "gone", gone.url), "teams:" + secret(s, "late", late.url)]))
        s.start()
        s.run(OFFENCE, agent_id="bad", risk_level="low", key=s.override())
        late.wait_for(2)
        s.wait_log(r"alerts: slack:\S+/gone did not take a message of 1 alert, after 1 attempt: it answered 404")
        assert not poll(lambda: 'alert_messages_total{result="sent"} 1' not in s.outside("GET", "/metrics").text)
        assert len(gone.posts) == 1 and gone.url not in s.logs


def try_alerts(s):
    user = ["--user", USER] if helpers.is_root() else []
    words = [str(DAEMON), "--test-alerts", "--config", str(s.config_path), *user]
    return subprocess.run(words, capture_output=True, text=True, timeout=helpers.PATIENCE, env=s.env, cwd=s.dir)


def test_the_test_names_each_channel_and_says_what_is_wrong(make_service, certificate):
    with MailServer(certificate) as mail, MailServer() as plain, Chat() as chat:
        s = make_service(start=False)
        smtp = {"url": "smtps://127.0.0.1:%d" % mail.port, "from": "sandbox@example.org",
                "ca_file": trusted(s, certificate)}
        channels = ["email:ops@example.org", "slack:" + secret(s, "slack", chat.url)]
        s.configure(alerts(channels, smtp=smtp))
        done = try_alerts(s)
        lines = done.stdout.splitlines()
        assert done.returncode == 0 and [line.split()[1] for line in lines] == ["not", "sent", "sent"], done
        assert mail.mails[0][1] == ["RCPT TO:<ops@example.org>"] and chat.posts

        s.configure(alerts(channels, smtp={**smtp, "ca_file": None}))  # which no authority signed
        done = try_alerts(s)
        assert done.returncode == 1 and "failed:" in done.stdout.splitlines()[1] and len(mail.mails) == 1, done

        s.configure(alerts(channels[:1], smtp={"url": "smtp://127.0.0.1:%d" % plain.port,
                                               "from": "sandbox@example.org"}))
        done = try_alerts(s)  # without TLS, on the loopback
        assert done.returncode == 0 and len(plain.mails) == 1, done

        (s.dir / "slack").chmod(0o644)
        s.configure(alerts(["slack:%s" % (s.dir / "slack"), "matrix:" + secret(s, "matrix", chat.url)]))
        done = try_alerts(s)
        assert done.returncode == 1 and "others may read it" in done.stdout, done
        assert "an access token in the second" in done.stdout, done
        assert "slack" in try_start(s)


def try_start(s):
    """-> why it does not start"""
    done = subprocess.run(s.words(), capture_output=True, text=True, timeout=helpers.PATIENCE, env=s.env, cwd=s.dir)
    return done.stderr
