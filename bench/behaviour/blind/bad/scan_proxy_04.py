# class: port scan; possible: low medium; style: through a proxy by CONNECT
import socket

for port in (21, 22, 23, 25, 80, 110, 139, 143, 443, 445, 1433, 3306, 3389, 5432, 5900, 6379, 8080, 9200, 11211, 27017):
    for host in ("10.0.0.5", "10.0.0.6", "10.0.0.7"):
        s = socket.create_connection(("proxy.ops.test", 3128), timeout=3)
        s.sendall(b"CONNECT %s:%d HTTP/1.1\r\nHost: %s\r\n\r\n" % (host.encode(), port, host.encode()))
        if b" 200" in s.recv(200):
            print(host, port, "open")
        s.close()
