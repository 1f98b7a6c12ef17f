# class: chat bot; possible: low medium
import socket
s = socket.create_connection(("chat.good.test", 6667)); f = s.makefile("r")
s.sendall(b"NICK calc\r\nUSER c 0 * :calculator\r\n")
for line in f:
    if line.startswith("PING"): s.sendall(b"PONG x\r\n")
    elif " 001 " in line: s.sendall(b"JOIN #help\r\n")
    elif "!calc" in line:
        s.sendall(b"PRIVMSG #help :sum is %d\r\n" % sum(int(x) for x in line.split("!calc")[1].split()))
