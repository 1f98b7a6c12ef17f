# what: the same in many small parcels, each over a connection of its own
# server: sink
import os, socket, time

host, port = os.environ["SERVER"].split(":")
print("begun", flush=True)
block = os.urandom(4 << 20)
for _ in range(100):
    with socket.create_connection((host, int(port))) as s:
        s.sendall(block)
time.sleep(float(os.environ.get("LINGER", "20")))
print("done")
