# class: port scan; possible: low medium high
import socket
for host in range(1, 13):
    for port in (21, 22, 25, 80, 443):
        s = socket.create_connection(("proxy.ops.test", 3128), 5)
        s.sendall(b"CONNECT 10.20.30.%d:%d HTTP/1.1\r\nHost: x\r\n\r\n" % (host, port))
        if b" 200 " in s.recv(200): print(host, port, "open")
        s.close()
