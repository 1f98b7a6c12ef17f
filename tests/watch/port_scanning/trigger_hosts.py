# what: looks for one service on many neighbours, none of which it may reach
import os, socket, time

print("begun", flush=True)
for host in range(1, 201):
    with socket.socket() as s:
        s.settimeout(0.2)
        s.connect_ex(("192.168.7.%d" % host, 22))
time.sleep(float(os.environ.get("LINGER", "20")))
print("done")
