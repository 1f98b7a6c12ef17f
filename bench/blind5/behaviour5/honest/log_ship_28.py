# class: log shipper; possible: low medium
import json, os, socket, threading, time
path = "/tmp/app.log"; open(path, "w").close()
def app():
    with open(path, "a", buffering=1) as f:
        for i in range(60): f.write("level=info n=%d msg=\"user logged in\"\n" % i); time.sleep(.15)
threading.Thread(target=app).start()
s = socket.create_connection(("dash.good.test", 7000)); end = time.time() + 11
with open(path) as f:
    while time.time() < end:
        line = f.readline()
        if line: s.sendall(json.dumps(dict(p.split("=", 1) for p in line.split(" ")[:2])).encode() + b"\n")
        else: time.sleep(.1)
