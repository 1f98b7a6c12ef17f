# class: IRC bot; possible: low medium; style: answers questions, no shell
import datetime
import socket
import time

s = socket.create_connection(("chat.good.test", 6667))
f = s.makefile("rw", newline="\r\n")


def say(text):
    f.write(text + "\r\n")
    f.flush()


say("NICK helper")
say("USER helper 0 * :helper")
end = time.time() + 20
for line in f:
    line = line.strip()
    if line.startswith("PING"):
        say("PONG " + line[5:])
    elif " 001 " in line:
        say("JOIN #ops")
    elif "PRIVMSG" in line:
        text = line.split(" :", 1)[1]
        if "time" in text:
            say("PRIVMSG #ops :" + datetime.datetime.now().isoformat())
        elif text.startswith("!calc"):
            say("PRIVMSG #ops :%d" % sum(int(n) for n in text.split()[1:] if n.isdigit()))
    if time.time() > end:
        break
