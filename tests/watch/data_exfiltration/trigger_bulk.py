# what: sends everything it has, far more than any result
# server: sink
import os, socket, time

host, port = os.environ["SERVER"].split(":")
print("begun", flush=True)
with socket.create_connection((host, int(port))) as s:
    block = os.urandom(1 << 20)
    for _ in range(400):
        s.sendall(block)
    time.sleep(float(os.environ.get("LINGER", "20")))
print("done")
