"""liar.py - an engine that does not do as it is told: a proxy before a real one, which changes what is asked and what
is answered.

    with Liar(docker, change=lambda body: body["HostConfig"].pop("PidsLimit")) as liar:
        cell.configure(socket=liar.socket)

change(body) edits what POST /containers/create asks for; unless is_honest, GET of that container shows what was asked
before. before(method, path) is called when a request has come and nothing of it has been handed on. attach_max: bytes
of what the container says that are handed on; then it seems to hang. The filler that carries code into the volume is
left as it is.
"""
import copy
import http.client
import http.server
import json
import pathlib
import re
import shutil
import socket as sockets
import socketserver
import tempfile
import threading

from engine import engines

CREATE = re.compile(r"(/v[\d.]+)?/containers/create\b")
INSPECT = re.compile(r"(/v[\d.]+)?/containers/([0-9a-f]{64})/json$")
HOP = {"connection", "transfer-encoding", "content-length", "upgrade", "host"}


def is_ours(body):
    """The container that the program runs in: the filler has no memory limit."""
    return "Memory" in body.get("HostConfig", {})


class Liar:
    def __init__(self, engine, change=None, is_honest=False, before=None, answer=None, attach_max=None):
        self.engine, self.change, self.is_honest, self.before, self.answer = engine, change, is_honest, before, answer
        self.attach_max = attach_max
        self.asked = {}  # id -> the body as it was asked for
        self.seen, self.done = [], []  # (method, path)
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="sandbox-liar-", dir="/tmp"))
        self.socket = str(self.dir / "socket")
        self.server = Server(self.socket, Handler)
        self.server.liar = self
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02})

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()
        shutil.rmtree(self.dir)

    def edited(self, path, data):
        """-> (what to ask for, what was asked for)"""
        if not CREATE.match(path) or not self.change:
            return data, None
        asked = json.loads(data)
        if not is_ours(asked):
            return data, None
        body = copy.deepcopy(asked)
        self.change(body)
        return json.dumps(body).encode(), asked

    def told(self, path, asked, data):
        """-> the answer as it is handed on"""
        if asked:
            made = json.loads(data).get("Id")
            self.asked[made] = asked
        match = INSPECT.match(path)
        body = self.asked.get(match.group(2)) if match else None
        if body is None or self.is_honest:
            return data
        shown = json.loads(data)
        shown["HostConfig"].update(body["HostConfig"])
        shown["Config"].update({k: v for k, v in body.items() if k != "HostConfig" and k != "Image"})
        if "Mounts" in shown:
            wanted = {m["Target"] for m in body["HostConfig"]["Mounts"]}
            shown["Mounts"] = [m for m in shown["Mounts"] if m["Destination"] in wanted]
        return json.dumps(shown).encode()


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, address):
        pass  # whoever is refused leaves in the middle


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def address_string(self):
        return "unix"

    def log_message(self, *_):
        pass

    def body(self):
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = []
        while True:
            size = int(self.rfile.readline().split(b";")[0], 16)
            parts.append(self.rfile.read(size))
            self.rfile.readline()
            if size == 0:
                return b"".join(parts)

    def handle_any(self):
        liar = self.server.liar
        data = self.body()
        liar.seen.append((self.command, self.path))
        if liar.before:
            liar.before(self.command, self.path)
        try:
            return self.hand_on(data)
        finally:
            liar.done.append((self.command, self.path))

    def hand_on(self, data):
        liar = self.server.liar
        if "upgrade" in self.headers.get("Connection", "").lower():
            return self.splice(data)
        data, asked = liar.edited(self.path, data)
        upstream = engines.Connection(liar.engine.socket)
        try:
            headers = {k: v for k, v in self.headers.items() if k.lower() not in HOP}
            upstream.request(self.command, self.path, data, headers)
            answer = upstream.getresponse()
            text = answer.read()
            status, kind, version = answer.status, answer.headers.get("Content-Type"), answer.headers.items()
        except (OSError, http.client.HTTPException):
            self.close_connection = True
            return None
        finally:
            upstream.close()
        if status < 300 and text:
            text = liar.told(self.path, asked, text)
        if liar.answer:
            status, text = liar.answer(self.command, self.path, status, text)
        self.send_response_only(status)
        for key, value in version:
            if key.lower() not in HOP:
                self.send_header(key, value)
        if status != 204:
            self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)
        return kind

    def splice(self, data):
        """An attach connection: from here on bytes in both directions."""
        self.close_connection = True
        with sockets.socket(sockets.AF_UNIX) as upstream:
            upstream.connect(self.server.liar.engine.socket)
            head = "%s %s HTTP/1.1\r\n%s\r\n" % (self.command, self.path,
                                                 "".join("%s: %s\r\n" % pair for pair in self.headers.items()))
            upstream.sendall(head.encode() + data)
            there = threading.Thread(target=pump, args=(self.connection, upstream), daemon=True)
            there.start()
            pump(upstream, self.connection, self.server.liar.attach_max)
            with_shutdown(self.connection, sockets.SHUT_RDWR)
            there.join()

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = handle_any


def with_shutdown(socket, how):
    try:
        socket.shutdown(how)
    except OSError:
        pass


def pump(source, target, at_most=None):
    left = at_most
    try:
        while True:
            data = source.recv(65536)
            if not data:
                break
            target.sendall(data if left is None else data[:left])
            left = None if left is None else max(0, left - len(data))
    except OSError:
        pass
    with_shutdown(target, sockets.SHUT_WR)
