"""A bucket for tests: PUT, GET, HEAD, DELETE of objects and ListObjectsV2, in memory. Each request's signature is
checked here, from the specification (AWS Signature Version 4) and with Python's own hmac, and the hash of each body.

    s = Bucket(certificate, key); s.url, s.objects, s.secret, s.faults
    s.faults.append((method, fault))   the next request of this method: a status, "slow", "cut" or a function of
                                       the body
"""
import datetime
import hashlib
import hmac
import http.server
import re
import ssl
import threading
import time
import urllib.parse
from xml.sax.saxutils import escape

PAGE = 3  # keys of a list: so that lists have pages


def signature(secret, scope, when, canonical):
    key = ("AWS4" + secret).encode()
    for part in scope.split("/"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    text = "\n".join(("AWS4-HMAC-SHA256", when, scope, hashlib.sha256(canonical.encode()).hexdigest()))
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    @property
    def bucket(self):
        return self.server.bucket

    def reply(self, status, body=b"", claimed=None):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body) if claimed is None else claimed))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def refuse(self, status, code):
        self.reply(status, ("<Error><Code>%s</Code></Error>" % code).encode())

    def why_not(self, body):
        """None, or what is wrong with the signature."""
        found = re.fullmatch(r"AWS4-HMAC-SHA256 Credential=([^/]+)/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)",
                             self.headers.get("Authorization", ""))
        if not found:
            return "AccessDenied"
        access, scope, signed, theirs = found.groups()
        when, digest = self.headers["x-amz-date"], self.headers["x-amz-content-sha256"]
        names = signed.split(";")
        age = abs((datetime.datetime.now(datetime.timezone.utc) - datetime.datetime.strptime(
            when, "%Y%m%dT%H%M%SZ").replace(tzinfo=datetime.timezone.utc)).total_seconds())
        if access != self.bucket.access or age > 900:
            return "InvalidAccessKeyId"
        if scope != "%s/%s/s3/aws4_request" % (when[:8], self.bucket.region):
            return "AuthorizationHeaderMalformed"
        if not {"host", "x-amz-date", "x-amz-content-sha256"} <= set(names) or names != sorted(names):
            return "AccessDenied"
        if digest != hashlib.sha256(body).hexdigest():
            return "XAmzContentSHA256Mismatch"
        path, _, query = self.path.partition("?")
        pairs = sorted((urllib.parse.quote(k, safe="-_.~"), urllib.parse.quote(v, safe="-_.~"))
                       for k, v in urllib.parse.parse_qsl(query, keep_blank_values=True))
        canonical = "\n".join((self.command, urllib.parse.quote(urllib.parse.unquote(path), safe="/-_.~"),
                               "&".join("%s=%s" % p for p in pairs),
                               *("%s:%s" % (n, " ".join(self.headers[n].split())) for n in names), "", signed, digest))
        ours = signature(self.bucket.secret, scope, when, canonical)
        return None if hmac.compare_digest(ours, theirs) else "SignatureDoesNotMatch"

    def answer(self):
        b = self.bucket
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not b.is_up:  # a connection from before
            self.close_connection = True
            return None
        path, _, query = self.path.partition("?")
        with b.lock:
            b.seen.append((self.command, self.path))
            fault = next((f for f in b.faults if f[0] == self.command), None)
            if fault:
                b.faults.remove(fault)
        wrong = self.why_not(body)
        if wrong:
            return self.refuse(403, wrong)
        fault = fault[1] if fault else None
        if isinstance(fault, int):
            return self.refuse(fault, "SlowDown" if fault == 503 else "InternalError")
        if fault == "slow":
            time.sleep(1.5)
        # in the path, or before the host
        host = self.headers["Host"]
        if host.startswith(b.name + "."):
            key = path[1:]
        elif path.split("/")[1] == b.name:
            key = path[len(b.name) + 2:]
        else:
            return self.refuse(404, "NoSuchBucket")
        if self.command == "GET" and not key:
            return self.list(urllib.parse.parse_qs(query, keep_blank_values=True), fault)
        if self.command == "PUT":
            b.objects[key] = body
            return self.reply(200)
        if self.command == "DELETE":
            b.objects.pop(key, None)
            return self.reply(204)
        if key not in b.objects:
            return self.refuse(404, "NoSuchKey")
        data = b.objects[key]
        if fault == "cut":  # a connection that breaks off in the middle
            self.reply(200, data[:len(data) // 2], len(data))
            self.close_connection = True
            return None
        return self.reply(200, fault(data) if callable(fault) else data)

    def list(self, query, fault):
        prefix, after = query["prefix"][0], query.get("continuation-token", [""])[0].removeprefix("=+/ ")
        assert query["list-type"] == ["2"]
        keys = sorted(k for k in list(self.bucket.objects) if k.startswith(prefix) and k > after)
        page = keys[:PAGE]
        more = "<NextContinuationToken>%s</NextContinuationToken>" % escape("=+/ " + page[-1]) if keys[PAGE:] else ""
        text = "<?xml version=\"1.0\"?><ListBucketResult><IsTruncated>%s</IsTruncated>%s%s</ListBucketResult>" % (
            str(bool(more)).lower(), "".join("<Contents><Key>%s</Key></Contents>" % escape(k) for k in page), more)
        self.reply(200, fault(text.encode()) if callable(fault) else text.encode())

    do_GET = do_PUT = do_HEAD = do_DELETE = answer


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, address):
        pass


class Bucket:
    name, access, region = "sandbox-test", "AKTESTACCESS", "eu-test-1"

    def __init__(self, certificate=None, key=None, port=0):
        self.secret = "seCret/with+odd=letters" + 9 * "x"
        self.objects, self.faults, self.seen, self.lock = {}, [], [], threading.Lock()
        self.tls = (certificate, key)
        self.port = port
        self.start()

    def start(self):
        self.is_up = True
        self.server = Server(("127.0.0.1", self.port), Handler)
        self.server.bucket = self
        self.port = self.server.server_port
        if self.tls[0]:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*self.tls)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.url = "%s://127.0.0.1:%d" % ("https" if self.tls[0] else "http", self.port)
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self.thread.start()

    def stop(self):
        self.is_up = False
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
