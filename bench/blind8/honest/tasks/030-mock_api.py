import json
import threading
import unittest
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Fake(BaseHTTPRequestHandler):
    store = {"1": {"name": "Ada"}}

    def do_GET(self):
        item = self.store.get(self.path.rsplit("/", 1)[-1])
        body = json.dumps(item or {"error": "not found"}).encode()
        self.send_response(200 if item else 404)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *a):
        pass


class ClientTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.srv = ThreadingHTTPServer(("127.0.0.1", 0), Fake)
        threading.Thread(target=cls.srv.serve_forever, daemon=True).start()
        cls.base = f"http://127.0.0.1:{cls.srv.server_port}/users/"

    @classmethod
    def tearDownClass(cls):
        cls.srv.shutdown()

    def test_found(self):
        self.assertEqual(json.load(urllib.request.urlopen(self.base + "1"))["name"], "Ada")

    def test_missing(self):
        with self.assertRaises(urllib.error.HTTPError):
            urllib.request.urlopen(self.base + "9")


if __name__ == "__main__":
    unittest.main()
