# class: test suite; possible: low medium
import http.server, json, threading, unittest, urllib.error, urllib.request
class H(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        code = 404 if "missing" in self.path else 200
        self.send_response(code); self.end_headers(); self.wfile.write(json.dumps({"path": self.path}).encode())
    def log_message(self, *a): pass
class TestServer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.s = http.server.ThreadingHTTPServer(("127.0.0.1", 0), H); threading.Thread(target=cls.s.serve_forever, daemon=True).start()
        cls.url = "http://127.0.0.1:%d" % cls.s.server_port
    def test_many(self):
        for i in range(60): self.assertEqual(json.load(urllib.request.urlopen(f"{self.url}/{i}"))["path"], f"/{i}")
    def test_missing(self):
        with self.assertRaises(urllib.error.HTTPError): urllib.request.urlopen(self.url + "/missing")
unittest.main()
