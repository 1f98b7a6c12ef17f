"""receiver.py - a server on loopback that webhooks are posted to: a test decides what it answers, and sees what
came."""
import contextlib
import http.server
import re
import threading

from helpers import PATIENCE, ROOT


def documented_verify():
    """The example of docs/webhooks.md, as it stands there."""
    code = re.search(r"^```python\n(.*?)^```", (ROOT / "docs/webhooks.md").read_text(), re.M | re.S)[1]
    names = {}
    exec(compile(code, "docs/webhooks.md", "exec"), names)
    return names["verify"]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with self.server.lock:
            self.server.posts.append((self.path, dict(self.headers), body))
            number = len(self.server.posts)
            self.server.lock.notify_all()
        with contextlib.suppress(OSError):
            self.server.answer(self, number)


class Receiver(http.server.ThreadingHTTPServer):
    """answer: (handler, number of the post from 1 on), or a status, or a list of statuses whose last one stays."""
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, answer=200):
        self.posts, self.connections, self.lock = [], 0, threading.Condition()
        self.go_on = threading.Event()
        self.answer = answer if callable(answer) else lambda h, n: self.say(h, answer if isinstance(answer, int)
                                                                            else answer[min(n, len(answer)) - 1])
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = "http://127.0.0.1:%d/hook" % self.server_port
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    def verify_request(self, request, address):
        self.connections += 1
        return True

    def handle_error(self, request, address):
        pass

    def say(self, handler, status, **headers):
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    def hold(self, handler, number):
        self.go_on.wait(PATIENCE)
        self.say(handler, 200)

    def wait_for(self, count):
        with self.lock:
            assert self.lock.wait_for(lambda: len(self.posts) >= count,
                                      PATIENCE), "only %d of %d posts came" % (len(self.posts), count)

    def __exit__(self, *why):
        self.go_on.set()
        self.shutdown()
        self.server_close()
