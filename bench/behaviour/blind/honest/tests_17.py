# class: test suite; possible: low medium; style: unittest with servers and processes
import socket
import subprocess
import sys
import threading
import unittest


class Echo(unittest.TestCase):
    def setUp(self):
        self.l = socket.create_server(("127.0.0.1", 0))
        self.port = self.l.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                c, _ = self.l.accept()
            except OSError:
                return
            with c:
                c.sendall(c.recv(100))

    def tearDown(self):
        self.l.close()

    def test_echo(self):
        for i in range(60):
            with socket.create_connection(("127.0.0.1", self.port)) as c:
                c.sendall(b"x%d" % i)
                self.assertEqual(c.recv(100), b"x%d" % i)

    def test_process(self):
        for _ in range(15):
            out = subprocess.run([sys.executable, "-c", "print(6*7)"], capture_output=True, text=True)
            self.assertEqual(out.stdout.strip(), "42")

    def test_free_ports(self):
        for port in range(20000, 20020):
            with socket.socket() as s:
                self.assertNotEqual(s.connect_ex(("127.0.0.1", port)), 0)


unittest.main()
