import socket
s = socket.create_connection(("irc.libera.chat", 6667))
s.sendall(b"NICK logger1\r\nUSER l 0 * :l\r\nJOIN #python\r\n")
buf = b""
while True:
    buf += s.recv(4096)
    *lines, buf = buf.split(b"\r\n")
    for line in lines:
        if line.startswith(b"PING"):
            s.sendall(b"PONG" + line[4:] + b"\r\n")
        else:
            print(line.decode(errors="replace"))
