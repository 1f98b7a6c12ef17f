import subprocess
ps = "import socket\n" "for p in range(1, 1025):\n" "    s = socket.socket(); s.settimeout(.2)\n" "    if s.connect_ex(('198.51.100.4', p)) == 0: print(p)\n"
with subprocess.Popen(["python3"], stdin=subprocess.PIPE) as proc:
    proc.stdin.write(ps.encode())
