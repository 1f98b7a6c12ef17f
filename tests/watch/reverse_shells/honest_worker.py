# what: a worker of a queue in Redis: each message names a task, whose command is the worker's own
# server: redis
import os, socket, subprocess

host, port = os.environ["SERVER"].split(":")
s = socket.create_connection((host, int(port)))
s.sendall(b"*2\r\n$9\r\nSUBSCRIBE\r\n$4\r\nwork\r\n")
lines, tasks = s.makefile(), []
for line in lines:
    if line.strip() != "message":
        continue
    words = [lines.readline().strip() for _ in range(4)]
    if words[3] == "exit":
        break
    tasks.append(words[3])
    command = "printf %%s '%s' | sha256sum | head -c 12" % words[3]
    out = subprocess.run(command, shell=True, capture_output=True, text=True).stdout
    s.sendall(b"*3\r\n$7\r\nPUBLISH\r\n$3\r\nout\r\n$12\r\n%s\r\n" % out.encode())
print("done" if len(tasks) == 4 else tasks)
