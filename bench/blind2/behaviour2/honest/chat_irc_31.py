# class: chat bot; possible: low medium; style: answers questions, one of them with df
import shutil
import socket
import time

s = socket.create_connection(("chat.good.test", 6667), 10)
f = s.makefile("rw", newline="\r\n")


def say(text):
    f.write(text + "\r\n")
    f.flush()


say("NICK helper")
say("USER helper 0 * :helper")
answered = 0
for line in f:
    line = line.strip()
    if line.startswith("PING"):
        say("PONG" + line[4:])
    elif " 001 " in line:
        say("JOIN #ops")
    elif "PRIVMSG" in line:
        text = line.partition(" :")[2]
        if text.startswith("!calc"):
            say("PRIVMSG #ops :%d" % sum(int(w) for w in text.split()[1:]))
        elif "time" in text:
            say("PRIVMSG #ops :" + time.strftime("%H:%M"))
        elif "disk" in text:
            say("PRIVMSG #ops :%d %% free" % (100 * shutil.disk_usage("/tmp").free // max(1, shutil.disk_usage("/tmp").total)))
        answered += 1
print(answered)
