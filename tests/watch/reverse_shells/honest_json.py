# what: a runner of jobs, which come as JSON from a host that a rule names
# server: json
import json, os, socket, subprocess

host, port = os.environ["SERVER"].split(":")
s = socket.create_connection((host, int(port)))
s.sendall(b"hello\n")
for line in s.makefile():
    command = json.loads(line)["run"]
    if command == "exit":
        break
    s.sendall(subprocess.run(command, shell=True, capture_output=True).stdout + b".")
print("done")
