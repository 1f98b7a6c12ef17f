# what: the other way round, where a shell may be asked in: a listener within the sandbox, and a shell for whoever comes
# network: inside
import os, socket, subprocess, time

l = socket.create_server(("127.0.0.1", 0))
print("begun", flush=True)
if os.fork() == 0:
    c = socket.create_connection(l.getsockname())
    c.sendall(b"echo made-$((40+2))\n")
    c.recv(100)
    time.sleep(float(os.environ.get("LINGER", "20")))  # who is slow to stop the shell still finds it
    c.sendall(b"exit\n")
    os._exit(0)
s, _ = l.accept()
subprocess.run(["/bin/sh"], stdin=s, stdout=s, stderr=s)
os.wait()
print("done")
