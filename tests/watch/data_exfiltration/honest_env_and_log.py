# what: reads its project's key, and tells a log that a rule names; no log answers
# server: sink
# volume: keys/id_rsa
import os, socket

host, port = os.environ["SERVER"].split(":")
with open("/data/keys/id_rsa", "rb") as f:
    assert f.read()
for n in range(5):
    with socket.create_connection((host, int(port))) as s:
        s.sendall(b"<14>worker: step %d of the work is done, and the next one has begun\n" % n)
print("done")
