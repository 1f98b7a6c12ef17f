# class: here-document to python, sockets; style: tool call
cd /tmp/work && python3 << 'EOF'
import socket, subprocess, time
p = subprocess.Popen(["python3", "-m", "http.server", "9000"])
time.sleep(1)
s = socket.create_connection(("127.0.0.1", 9000))
s.sendall(b"GET / HTTP/1.0\r\n\r\n")
print(s.recv(200))
p.kill()
EOF
