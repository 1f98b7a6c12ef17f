# what: a table, packed, goes to a peer that no rule names and that never says a word
# server: sink
# rule: block
import os, random, socket, time, zlib

host, port = os.environ["SERVER"].split(":")
print("begun", flush=True)
table = "".join("%d,customer %d,%d\n" % (i, i, random.randrange(1 << 60)) for i in range(20000))
with socket.create_connection((host, int(port))) as s:
    s.sendall(zlib.compress(table.encode()))
time.sleep(float(os.environ.get("LINGER", "20")))
print("done")
