# what: a bot in a channel that is asked for its load and its time, and runs its own commands for it
# server: irc
import os, socket, subprocess

host, port = os.environ["SERVER"].split(":")
s = socket.create_connection((host, int(port)))
s.sendall(b"NICK bot\r\nUSER bot 0 * :bot\r\nJOIN #room\r\n")
asked = 0
for line in s.makefile():
    if "PRIVMSG" not in line:
        continue
    if line.rstrip().endswith("exit"):
        break
    asked += 1
    command = "cat /proc/loadavg" if asked % 2 else "date -u +%H:%M"
    out = subprocess.run(command, shell=True, capture_output=True, text=True).stdout
    s.sendall(b"PRIVMSG #room :%s\r\n" % out.strip().encode())
print("done" if asked == 4 else asked)
