"""servers.py - what the tests connect to: HTTP(S), git over HTTP, echo over TCP and UDP, and a port that never accepts.

Plain standard library, a thread per connection. `log(server=..., **what)` is told what a server saw: tests compare it
with what the code inside believes.
"""
import hashlib
import http.server
import json
import os
import socket
import socketserver
import ssl
import subprocess
import threading
import time
import urllib.parse

CHUNK = 1 << 16



_tile = bytes((i * 7 + (i >> 8) * 13) & 0xff for i in range(CHUNK))


def content(size):
    """size bytes: the tile repeated. -> bytes"""
    return (_tile * (size // CHUNK + 1))[:size]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *args):
        pass

    # -- what arrived --

    def body(self):
        """Yields what the client sends."""
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            while True:
                size = int(self.rfile.readline().split(b";")[0], 16)
                if size:
                    yield self.rfile.read(size)
                self.rfile.readline()
                if not size:
                    return
        left = int(self.headers.get("Content-Length") or 0)
        while left:
            data = self.rfile.read(min(left, CHUNK))
            if not data:
                raise ConnectionError("the body ends early")
            left -= len(data)
            yield data

    def answer(self, code, data, kind="text/plain", **headers):
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for key, value in headers.items():
            self.send_header(key.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    # -- the paths --

    def handle_any(self):
        if self.headers.get("Expect", "").lower() == "100-continue":
            pass  # the base class has sent it
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        words = url.path.strip("/").split("/")
        self.server.log(server=self.server.label, method=self.command, path=self.path,
                        local=self.connection.getsockname()[0], host=self.headers.get("Host"),
                        peer="%s:%d" % self.client_address[:2])
        handler = getattr(self, "path_" + words[0], None)
        if handler is None:
            self.drain()
            return self.answer(404, b"no such path\n")
        return handler(words[1:], query)

    do_GET = do_HEAD = do_POST = do_PUT = handle_any

    def drain(self):
        for _ in self.body():
            pass

    def path_hello(self, words, query):
        self.drain()
        self.answer(200, b"hello from %s\n" % self.connection.getsockname()[0].encode())

    def path_echo(self, words, query):
        data = b"".join(self.body())
        seen = {"method": self.command, "path": self.path, "headers": dict(self.headers),
                "body": data.decode("latin-1"),
                "local": self.connection.getsockname()[:2], "peer": self.client_address[:2]}
        self.answer(200, json.dumps(seen).encode(), "application/json")

    def path_upload(self, words, query):
        digest, size = hashlib.sha256(), 0
        for data in self.body():
            digest.update(data)
            size += len(data)
        self.answer(200, json.dumps({"size": size, "sha256": digest.hexdigest()}).encode(), "application/json")

    def path_bytes(self, words, query):
        self.drain()
        self.send_ranged(content(int(words[0])))

    def send_ranged(self, whole, kind="application/octet-stream"):
        wanted = self.headers.get("Range")
        if not wanted:
            return self.answer(200, whole, kind, Accept_Ranges="bytes")
        first, _, last = wanted.partition("=")[2].partition("-")
        if not first:
            first, last = len(whole) - int(last), ""
        first, last = int(first), min(int(last or len(whole) - 1), len(whole) - 1)
        if first > last:
            return self.answer(416, b"", Content_Range="bytes */%d" % len(whole))
        return self.answer(206, whole[first:last + 1], kind, Accept_Ranges="bytes",
                           Content_Range="bytes %d-%d/%d" % (first, last, len(whole)))

    def path_chunked(self, words, query):
        self.drain()
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for i in range(int(words[0])):
            part = b"part %d\n" % i
            self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
        self.wfile.write(b"0\r\n\r\n")

    def path_redirect(self, words, query):
        self.drain()
        self.answer(302, b"", Location=query["to"])

    def path_slow(self, words, query):
        self.drain()
        time.sleep(float(words[0]))
        self.answer(200, b"at last\n")

    def path_trickle(self, words, query):
        """/trickle/COUNT/SIZE: pieces, with a little time between them."""
        self.drain()
        self.close_connection = True
        self.send_response(200)
        self.end_headers()
        for _ in range(int(words[0])):
            self.wfile.write(content(int(words[1])))
            time.sleep(0.03)

    def path_close(self, words, query):
        """No length: the end of the connection is the end of the answer."""
        self.drain()
        self.close_connection = True
        self.send_response(200)
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(b"until the end\n")

    def path_files(self, words, query):
        self.drain()
        path = os.path.join(self.server.directory, "files", *words)
        if os.path.isdir(path):
            path = os.path.join(path, "index.html")
        if ".." in words or not os.path.isfile(path):
            return self.answer(404, b"no such file\n")
        with open(path, "rb") as f:
            return self.send_ranged(f.read(), "text/html" if path.endswith(".html") else "application/octet-stream")

    def path_git(self, words, query):
        """CGI, as git-http-backend(1) wants it."""
        url = urllib.parse.urlsplit(self.path)
        data = b"".join(self.body())
        env = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_COUNT": "1",
               "GIT_CONFIG_KEY_0": "safe.directory",
               "GIT_CONFIG_VALUE_0": "*", "GIT_PROJECT_ROOT": os.path.join(self.server.directory, "git"),
               "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": "/" + "/".join(words),
               "QUERY_STRING": url.query, "REQUEST_METHOD": self.command,
               "CONTENT_TYPE": self.headers.get("Content-Type", ""), "CONTENT_LENGTH": str(len(data)),
               "REMOTE_ADDR": self.client_address[0], "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
               "GIT_PROTOCOL": self.headers.get("Git-Protocol", "")}
        done = subprocess.run(["git", "http-backend"], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=env, check=False)
        head, _, rest = done.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode("latin-1").split("\r\n") if ": " in line)
        if done.stderr or not headers:
            self.server.log(server="git", what=done.stderr.decode("utf-8", "replace"))
        code = int(headers.pop("Status", "200 OK" if headers else "500 no answer").split()[0])
        kind = headers.pop("Content-Type", "text/plain")
        self.answer(code, rest, kind, **{k.replace("-", "_"): v for k, v in headers.items()})


class HTTPServer(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """On a socket that listens already; TLS in the connection's own thread, so that a slow handshake holds up
    nobody."""
    daemon_threads = True

    def __init__(self, sock, label, log, directory, tls=None):
        super().__init__(sock.getsockname()[:2], Handler, bind_and_activate=False)
        self.socket.close()
        self.socket, self.label, self.log, self.directory, self.tls = sock, label, log, directory, tls
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 3600}, daemon=True).start()

    def process_request_thread(self, request, client_address):
        try:
            if self.tls:
                request = self.tls.wrap_socket(request, server_side=True)
        except (OSError, ssl.SSLError) as e:
            self.log(server=self.label, what="handshake: %s" % e)
            request.close()
            return
        super().process_request_thread(request, client_address)

    def handle_error(self, request, client_address):
        pass  # a client that went away


def accept_loop(sock, serve):
    while True:
        try:
            peer, address = sock.accept()
        except OSError:
            return
        threading.Thread(target=serve, args=(peer, address), daemon=True).start()


def start_echo(sock, log):
    """Gives back what it gets; when the client has no more to say: «bye N», N bytes, and how it ended goes to the
    log."""
    def serve(peer, address):
        count, end = 0, "fin"
        with peer:
            try:
                while True:
                    data = peer.recv(CHUNK)
                    if not data:
                        break
                    count += len(data)
                    peer.sendall(data)
                peer.sendall(b"bye %d\n" % count)
            except OSError as e:
                end = type(e).__name__
            log(server="echo", peer="%s:%d" % address[:2], local=address_of(peer), count=count, end=end)
    threading.Thread(target=accept_loop, args=(sock, serve), daemon=True).start()


def address_of(sock):
    try:
        return "%s:%d" % sock.getsockname()[:2]
    except OSError:
        return ""


def start_greeter(sock, log):
    """Says who is there and hangs up, like daytime."""
    def serve(peer, address):
        with peer:
            log(server="greeter", peer="%s:%d" % address[:2], local=address_of(peer))
            peer.sendall(b"you are %s, I am %s\n" % (("%s:%d" % address[:2]).encode(), address_of(peer).encode()))
    threading.Thread(target=accept_loop, args=(sock, serve), daemon=True).start()


def start_reset(sock, log):
    """Accepts and resets soon."""
    def serve(peer, address):
        time.sleep(0.1)
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        peer.close()
    threading.Thread(target=accept_loop, args=(sock, serve), daemon=True).start()


def start_udp(sock, log):
    """Gives back each datagram, and says whence it came."""
    def serve():
        while True:
            data, peer = sock.recvfrom(65535)
            log(server="udp", peer="%s:%d" % peer[:2], count=len(data), text=data[:64].decode("latin-1"))
            if data.startswith(b"many "):
                for i in range(int(data[5:])):
                    sock.sendto(b"answer %d" % i, peer)
            elif data != b"quiet":
                sock.sendto(data, peer)
    threading.Thread(target=serve, daemon=True).start()


def fill(sock, address):
    """Makes a listener's queue full: nobody accepts, and SYNs are dropped from here on. -> what has to stay open"""
    kept = []
    for _ in range(4):
        one = socket.socket(sock.family)
        one.setblocking(False)
        one.connect_ex(address)
        kept.append(one)
    return kept
