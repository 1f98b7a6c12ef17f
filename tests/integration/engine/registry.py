"""registry.py - a registry of one image on the loopback that an engine sees: enough of the distribution API for a pull.

    with Registry(docker, tar) as registry:
        docker.call("POST", "/images/create?fromImage=%s&tag=%s" % (registry.repository, registry.tag))

It is read-only, counts what it is asked, knows one tag and the digests of what it has, and on request gives a layer
that is not what its digest says.
"""
import gzip
import hashlib
import http.server
import json
import pathlib
import platform
import threading

MANIFEST = "application/vnd.docker.distribution.manifest.v2+json"
CONFIG = "application/vnd.docker.container.image.v1+json"
LAYER = "application/vnd.docker.image.rootfs.diff.tar.gzip"
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


def digest(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def described(media_type, data):
    return {"mediaType": media_type, "size": len(data), "digest": digest(data)}


class Registry:
    name, tag = "pulled/image", "1"

    def __init__(self, engine, tar):
        """tar: file of the tree that the image's only layer is"""
        tree = pathlib.Path(tar).read_bytes()
        layer = gzip.compress(tree, 1, mtime=0)
        machine = platform.machine()
        config = json.dumps({"architecture": ARCHITECTURES.get(machine, machine), "os": "linux",
                             "config": {"User": "65534:65534"},
                             "rootfs": {"type": "layers", "diff_ids": [digest(tree)]},
                             "history": [{"created_by": "tests"}]}).encode()
        self.manifest = json.dumps({"schemaVersion": 2, "mediaType": MANIFEST, "config": described(CONFIG, config),
                                    "layers": [described(LAYER, layer)]}).encode()
        self.blobs = {digest(config): config, digest(layer): layer}
        self.layer = digest(layer)
        self.digest = digest(self.manifest)
        self.is_wrong = False
        self.requests = []  # (method, path), in the order in which they came
        listening = engine.listen()
        self.server = http.server.ThreadingHTTPServer(listening.getsockname(), Handler, bind_and_activate=False)
        self.server.socket.close()
        self.server.socket = listening
        self.server.registry = self
        self.repository = "127.0.0.1:%d/%s" % (listening.getsockname()[1], self.name)
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05})

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    def find(self, path):
        """-> (type, bytes, their digest); None where there is nothing"""
        prefix = "/v2/%s/" % self.name
        if path in ("/v2", "/v2/"):
            return "application/json", b"{}", None
        if path in (prefix + "manifests/" + self.tag, prefix + "manifests/" + self.digest):
            return MANIFEST, self.manifest, self.digest
        wanted = path[len(prefix + "blobs/"):] if path.startswith(prefix + "blobs/") else None
        if wanted not in self.blobs:
            return None
        blob = self.blobs[wanted]
        if self.is_wrong and wanted == self.layer:
            blob = blob[:-1] + bytes([blob[-1] ^ 1])
        return "application/octet-stream", blob, wanted


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        registry = self.server.registry
        registry.requests.append((self.command, self.path))
        found = registry.find(self.path)
        kind, body, what = found or ("application/json",
                                     b'{"errors":[{"code":"MANIFEST_UNKNOWN","message":"no such thing"}]}', None)
        self.send_response(200 if found else 404)
        self.send_header("Docker-Distribution-Api-Version", "registry/2.0")
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if what:
            self.send_header("Docker-Content-Digest", what)
        self.end_headers()
        if self.command == "GET":
            try:
                self.wfile.write(body)
            except ConnectionError:
                self.close_connection = True  # an engine that has seen enough

    do_HEAD = do_GET

    def log_message(self, *_):
        pass
