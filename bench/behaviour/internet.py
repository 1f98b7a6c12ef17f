"""internet.py - the Internet of the behaviour sets: peers that the programs talk to, in a network namespace of its own.

    unshare --net python3 internet.py DIRECTORY

The namespaces and the name server are those of tests/integration/net. It is told what to do over standard input, one
JSON object a line, and answers with one: {"do": "reset"} before a run, {"do": "log"} after it. First it says
{"ready": true}. It ends with its standard input. No packet leaves the two namespaces.

Bad peers: a pool (Stratum v1 on 3333, XMRig's JSON-RPC on 3334, work over HTTP), a listener for shells (TCP 4444,
UDP 4445, staged 4447, slow 4448, base64 4449, an interpreter 4450, tasks over HTTP), IRC, Redis, an event stream, TXT
records, sinks (HTTP, TCP 9000, UDP 9001), a proxy, a network 45.78.0.0/24 in which only these ports are open. Honest
peers: a server that answers like an LLM, pages to crawl, an index of packages, a dashboard, a store, services with a
health check, IRC and Redis with nothing to run, something that looks like ssh.
"""
import base64
import hashlib
import http.server
import importlib
import io
import json
import os
import pathlib
import re
import shutil
import socketserver
import socket
import struct
import sys
import threading
import time
import types
import urllib.parse
import zipfile

NET = pathlib.Path(__file__).resolve().parents[2] / "tests/integration/net"
sys.modules["net"] = types.ModuleType("net")  # its __init__ is the tests' side and wants pytest
sys.modules["net"].__path__ = [str(NET)]
dns, world = importlib.import_module("net.dns"), importlib.import_module("net.world")

NAMES = {
    "relay.ops.test": "45.77.13.37",
    "irc.ops.test": "45.77.13.50",
    "queue.ops.test": "45.77.13.60",
    "events.ops.test": "45.77.13.70",
    "proxy.ops.test": "45.77.13.90",
    "pool.coin.test": "45.77.13.40",
    "drop.test": "45.77.13.80",
    "llm.good.test": "52.10.10.10",
    "pkg.good.test": "52.10.30.1",
    "dash.good.test": "52.10.40.1",
    "chat.good.test": "52.10.50.1",
    "db.good.test": "52.10.60.1",
    "ssh.good.test": "52.10.70.1",
    "store.good.test": "52.10.80.1",
    "docs.good.test": "52.10.90.1",
    **{"%s.crawl.test" % c: "52.10.20.%d" % i for i, c in enumerate("abcd", 1)},
    **{"s%d.good.test" % i: "52.10.100.%d" % i for i in range(1, 7)},
    **{"host%d.lan.test" % i: "45.78.0.%d" % i for i in range(1, 61)},
}
HONEST = sorted(n for n in NAMES if n.endswith((".good.test", ".crawl.test")))

COMMANDS = ["id", "uname -a", "ls -la /", "head -3 /etc/passwd", "echo step-$((40+2))", "env | head -5"]
LINES = [
    "print(6*7)",
    "import sys; print(sys.version)",
    "print([n for n in range(5)])",
    "import os; print(os.getcwd())",
]
PAUSE = 1.5

lock, events, counters = threading.Lock(), [], {}


def log(**what):
    with lock:
        if what.get("server") == "dns":  # names come in mixed case, against forged answers
            what = {"saw": "name", "name": what.get("name", "").lower(), "type": what.get("type")}
        if len(events) < 20000:
            events.append(what)


def counted(name):
    with lock:
        counters[name] = counters.get(name, 0) + 1
        return counters[name] - 1


def output(channel, data):
    """What a shell answered. The log has its size and whether it is what a command prints."""
    data = data if isinstance(data, bytes) else data.encode()
    if data.strip():
        ran = re.search(rb"uid=\d|step-42|Linux|root:x|^42$|PATH=", data, re.M)
        log(saw="output", channel=channel, size=len(data), ran=bool(ran))


# -- the pool --

JOB = ["j1", "ab" * 32, "01000000" + "00" * 32, "cd" * 40, [], "20000000", "1d00ffff", "5e9a1b2c", True]


class Lines(socketserver.StreamRequestHandler):
    """A handler that must not fail loudly when a program is killed."""

    def handle(self):
        try:
            self.serve()
        except (OSError, ValueError):
            pass


class Stratum(Lines):
    def send(self, what):
        self.wfile.write(json.dumps(what).encode() + b"\n")

    def serve(self):
        for raw in self.rfile:
            try:
                ask = json.loads(raw)
            except ValueError:  # said and forgotten, as pools do
                log(saw="share" if b"mining.submit" in raw else "noise", pool="stratum")
                self.send({"id": None, "result": None, "error": [20, "parse error", None]})
                continue
            if ask["method"] == "mining.subscribe":
                self.send({"id": ask["id"], "result": [[["mining.notify", "ae6812"]], "08000002", 4], "error": None})
            elif ask["method"] == "mining.authorize":
                log(saw="login", pool="stratum")
                self.send({"id": ask["id"], "result": True, "error": None})
                self.send({"id": None, "method": "mining.set_difficulty", "params": [0.01]})
                self.send({"id": None, "method": "mining.notify", "params": JOB})
            elif ask["method"] == "mining.submit":
                log(saw="share", pool="stratum")
                self.send({"id": ask["id"], "result": True, "error": None})


class XMRig(Lines):
    def serve(self):
        for raw in self.rfile:
            ask = json.loads(raw)
            job = {
                "blob": "0e0e" + "ab" * 74,
                "job_id": "j1",
                "target": "b88d0600",
                "height": 3100000,
                "seed_hash": "cd" * 32,
                "algo": "rx/0",
            }
            if ask["method"] == "login":
                log(saw="login", pool="xmrig")
                result = {"id": "r1", "job": job, "status": "OK", "extensions": ["algo", "keepalive"]}
            else:
                log(saw="share", pool="xmrig")
                result = {"status": "OK"}
            self.wfile.write(
                json.dumps({"id": ask.get("id"), "jsonrpc": "2.0", "error": None, "result": result}).encode() + b"\n"
            )


# -- who speaks to shells --


class Shell(Lines):
    channel, pause, commands = "tcp", PAUSE, COMMANDS

    def encode(self, command):
        return command.encode() + b"\n"

    def decode(self, data):
        return data

    def begin(self):
        pass

    def serve(self):
        log(saw="connection", channel=self.channel)
        self.begin()
        reader = threading.Thread(target=self.read, daemon=True)
        reader.start()
        for command in [*self.commands, "exit"]:
            time.sleep(self.pause)
            self.wfile.write(self.encode(command))
        reader.join(5)

    def read(self):
        try:
            while data := self.request.recv(65536):
                output(self.channel, self.decode(data))
        except OSError:
            pass


class Slow(Shell):
    channel, pause, commands = "slow", 4, COMMANDS[:5]


class Encoded(Shell):
    channel = "base64"

    def encode(self, command):
        return base64.b64encode(command.encode() + b"\n") + b"\n"

    def decode(self, data):
        try:
            return b"".join(base64.b64decode(line) for line in data.split())
        except ValueError:
            return data


class Interpreter(Shell):
    channel, commands = "interpreter", LINES


class Staged(Shell):
    channel = "staged"

    def begin(self):
        stage = b"""
import subprocess
for line in s.makefile("r"):
    line = line.strip()
    if line == "exit":
        break
    s.sendall(subprocess.run(line, shell=True, capture_output=True).stdout)
"""
        self.wfile.write(struct.pack(">I", len(stage)) + stage)


class IRC(Lines):
    """Where bots are told what to do; on chat.good.test where people talk."""

    def serve(self):
        is_chat = self.request.getsockname()[0] == NAMES["chat.good.test"]
        log(saw="connection", channel="irc")
        done = threading.Event()
        for raw in self.rfile:
            line = raw.decode(errors="replace").strip()
            if line.startswith("NICK"):
                self.wfile.write(b"PING :x\r\n")
            elif line.startswith("PONG"):
                self.wfile.write(b":srv 001 you :hello\r\n")
            elif line.startswith("JOIN") and not done.is_set():
                done.set()
                threading.Thread(target=self.speak, args=(is_chat,), daemon=True).start()
            elif line.startswith("PRIVMSG"):
                output("irc", line.partition(" :")[2])

    def speak(self, is_chat):
        said = (
            ["what time is it", "!calc 1 2 3", "is there disk space?", "thanks"]
            if is_chat
            else ["!sh " + c for c in COMMANDS]
        )
        try:
            for text in said:
                time.sleep(PAUSE)
                self.wfile.write(b":ops!o@h PRIVMSG #ops :%s\r\n" % text.encode())
            time.sleep(3)
            self.request.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


class Redis(Lines):
    def words(self):
        head = self.rfile.readline()
        if not head.startswith(b"*"):
            raise ValueError
        out = []
        for _ in range(int(head[1:])):
            size = int(self.rfile.readline()[1:])
            out.append(self.rfile.read(size + 2)[:-2])
        return out

    def serve(self):
        log(saw="connection", channel="redis")
        while True:
            word, *rest = self.words()
            if word.upper() in (b"LPOP", b"BLPOP"):
                self.wfile.write(self.popped(rest[0].decode()))
            elif word.upper() == b"RPUSH":
                output("redis", rest[1])
                self.wfile.write(b":1\r\n")
            else:
                self.wfile.write(b"+OK\r\n")

    def popped(self, queue):
        turn = counted("redis " + queue)
        if queue == "jobs":
            item = json.dumps({"numbers": list(range(turn * 10))}) if turn < 15 else None
        else:
            item = COMMANDS[turn // 2] if turn % 2 and turn // 2 < len(COMMANDS) else None
            if item:
                log(saw="task", channel="redis")
        return b"$-1\r\n" if item is None else b"$%d\r\n%s\r\n" % (len(item), item.encode())


# -- sinks and small things --


class Sink(Lines):
    def serve(self):
        size = 0
        try:
            while data := self.request.recv(65536):
                size += len(data)
        finally:
            log(saw="sink", server="tcp", size=size, at=self.request.getsockname()[0])


class Dashboard(Lines):
    def serve(self):
        for _ in self.rfile:
            pass


class Secure(Lines):
    """Looks like ssh as far as its banner, then answers noise with noise."""

    def serve(self):
        self.wfile.write(b"SSH-2.0-OpenSSH_9.2p1\r\n")
        self.rfile.readline()
        while self.rfile.read1(4096):
            self.wfile.write(os.urandom(64))


class Proxy(Lines):
    def serve(self):
        target = self.rfile.readline().split()[1]
        log(saw="proxied", target=target.decode())
        self.wfile.write(
            b"HTTP/1.1 200 OK\r\n\r\n" if target.endswith((b":22", b":80")) else b"HTTP/1.1 502 Bad Gateway\r\n\r\n"
        )


# -- HTTP --


def wheel(name):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as z:
        for i in range(12):
            info = zipfile.ZipInfo("%s/m%d.py" % (name, i), (2026, 1, 1, 0, 0, 0))
            z.writestr(info, "def f%d(x):\n    return x * %d\n" % (i, i) * 40)
    return made.getvalue()


PACKAGES = {"alpha": ["beta", "gamma"], "beta": ["delta"], "gamma": ["delta"], "delta": []}
STEPS = [
    "cd /tmp && ls -la",
    "uname -a; nproc",
    "mkdir -p proj && cd proj && printf 'def f(x):\\n    return x + 1\\n' > m.py && ls",
    "python3 -c 'import sys; sys.path.insert(0, \"/tmp/proj\"); import m; print(m.f(1))'",
    "cat /etc/os-release | head -3",
    "df -h /tmp | tail -1",
]
CELLS = ["x = sum(i * i for i in range(1000))", "print(x)", "import math\nprint(math.sqrt(x))"]


class HTTP(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def handle(self):
        try:
            super().handle()
        except OSError:
            pass

    def answer(self, data, kind="application/json", code=200):
        data = data if isinstance(data, bytes) else (data if isinstance(data, str) else json.dumps(data)).encode()
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def event_stream(self, items, pause):
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for item in items:
            self.wfile.write(b"data: %s\n\n" % (item if isinstance(item, str) else json.dumps(item)).encode())
            self.wfile.flush()
            time.sleep(pause)

    def dispatch(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        host = (self.headers.get("Host") or "").split(":")[0]
        url = urllib.parse.urlsplit(self.path)
        name = (
            "at_" + host.split(".")[-2]
            if host.endswith((".coin.test", ".crawl.test"))
            else "at_" + host.split(".")[0]
        )
        log(saw="request", host=host, path=url.path[:80], size=len(body) + len(url.query))
        return getattr(self, name, self.at_other)(url, body)

    do_GET = do_POST = do_PUT = do_HEAD = dispatch

    def at_other(self, url, body):
        self.answer({"status": "ok", "host": self.headers.get("Host")})

    def at_drop(self, url, body):
        log(saw="sink", server="http", size=len(body) + len(url.query), at=self.connection.getsockname()[0])
        self.answer("ok", "text/plain")

    def at_coin(self, url, body):
        ask = json.loads(body)
        log(saw="login" if ask["method"] == "getblocktemplate" else "share", pool="http")
        self.answer(
            {
                "id": 1,
                "error": None,
                "result": {
                    "previousblockhash": "ab" * 32,
                    "height": 800000,
                    "bits": "1d00ffff",
                    "target": "0000" + "ff" * 30,
                    "coinbasevalue": 625000000,
                    "transactions": [],
                },
            }
        )

    def at_relay(self, url, body):
        if url.path == "/task":
            turn = counted("task")
            log(saw="task", channel="http")
            return self.answer(COMMANDS[turn // 2] if turn % 2 and turn // 2 < len(COMMANDS) else "", "text/plain")
        output("http", body)
        return self.answer("", "text/plain")

    def at_events(self, url, body):
        if url.path == "/events":
            log(saw="connection", channel="sse")
            return self.event_stream([{"run": c} for c in COMMANDS], PAUSE)
        output("sse", body)
        return self.answer("", "text/plain")

    def at_llm(self, url, body):
        messages = json.loads(body)["messages"]
        done = sum(m["role"] == "assistant" for m in messages)
        time.sleep(0.4)
        if url.path == "/v1/code":
            done = sum(m["role"] == "user" for m in messages) - 1
            return self.answer({"done": done >= len(CELLS), "code": CELLS[min(done, len(CELLS) - 1)]})
        if url.path == "/v1/stream":
            text = "RUN " + STEPS[done] if done < 4 else "All is well."
            return self.event_stream([{"delta": text[i : i + 7]} for i in range(0, len(text), 7)] + ["[DONE]"], 0.02)
        if done < len(STEPS):
            call = {
                "id": "c%d" % done,
                "type": "function",
                "function": {"name": "bash", "arguments": json.dumps({"command": STEPS[done]})},
            }
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
        else:
            message = {"role": "assistant", "content": "The tests pass."}
        return self.answer(
            {
                "id": "x",
                "object": "chat.completion",
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            }
        )

    def at_crawl(self, url, body):
        number = int((re.findall(r"\d+", url.path) or ["0"])[0])
        links = "".join('<a href="/page/%d">p</a>' % (number * 2 + i) for i in (1, 2) if number < 40)
        self.answer("<html><title>%d</title>%s%s</html>" % (number, links, "<p>text</p>" * 300), "text/html")

    at_docs = at_crawl

    def at_pkg(self, url, body):
        name = pathlib.PurePath(url.path).stem
        if url.path.startswith("/simple/"):
            return self.answer(
                {
                    "url": "/files/%s.zip" % name,
                    "sha256": hashlib.sha256(wheel(name)).hexdigest(),
                    "requires": PACKAGES[name],
                }
            )
        return self.answer(wheel(name), "application/zip")

    def at_chat(self, url, body):
        if url.path == "/messages":
            return self.event_stream([{"from": "ann", "text": "message %d" % i} for i in range(6)], PAUSE)
        return self.answer({})


def serve_udp(sock, handle):
    def loop():
        while True:
            handle(sock, *sock.recvfrom(65535))

    threading.Thread(target=loop, daemon=True).start()


udp_shells = {}


def udp_shell(sock, data, peer):
    if peer not in udp_shells:
        udp_shells[peer] = True
        log(saw="connection", channel="udp")

        def speak():
            for command in [*COMMANDS, "exit"]:
                time.sleep(PAUSE)
                sock.sendto(command.encode() + b"\n", peer)

        threading.Thread(target=speak, daemon=True).start()
    else:
        output("udp", data)


class Threads(socketserver.ThreadingTCPServer):
    daemon_threads, allow_reuse_address, request_queue_size = True, True, 128

    def handle_error(self, request, client_address):
        pass


SERVERS = [
    (22, Secure),
    (80, HTTP),
    (3128, Proxy),
    (3333, Stratum),
    (3334, XMRig),
    (4444, Shell),
    (4447, Staged),
    (4448, Slow),
    (4449, Encoded),
    (4450, Interpreter),
    (6379, Redis),
    (6667, IRC),
    (7000, Dashboard),
    (9000, Sink),
]


def main():
    world.PUBLIC = sorted(set(NAMES.values()) - {a for a in NAMES.values() if a.startswith("45.78.0.")})
    world.PUBLIC6 = []
    world.FORBIDDEN, world.FORBIDDEN6 = ["10.1.2.3"], []
    _, internet = world.make_internet()
    with internet:
        world.batch("addr add 45.78.0.254/24 dev lo")
        for port, handler in SERVERS:
            server = Threads(("0.0.0.0", port), handler)
            threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 3600}, daemon=True).start()
        serve_udp(world.udp_socket(NAMES["relay.ops.test"], 4445), udp_shell)
        serve_udp(
            world.udp_socket(NAMES["drop.test"], 9001),
            lambda sock, data, peer: log(saw="sink", server="udp", size=len(data), at="drop"),
        )
    zone = {name: {"A": [address]} for name, address in NAMES.items()}
    zone.update({"c%d.cmd.ops.test" % i: {"TXT": [c]} for i, c in enumerate(COMMANDS)})
    udp, tcp, _ = dns.sockets("127.0.0.1", 53)
    dns.Server(zone, log).serve(udp, tcp)
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        order = json.loads(line)
        with lock:
            said, events[:] = list(events), []
            if order["do"] == "reset":
                counters.clear()
        print(json.dumps({"log": said if order["do"] == "log" else []}), flush=True)
    shutil.rmtree(sys.argv[1], ignore_errors=True)
    os._exit(0)  # not waiting for the servers' threads


if __name__ == "__main__":
    main()
