# what: looks into two dozen ports, few enough for any window, and says nothing to those that are open
# server: ports
import os, socket, time

print("begun", flush=True)
for port in os.environ["PORTS"].split(",")[:24]:
    with socket.socket() as s:
        s.connect_ex(("127.0.0.1", int(port)))
    time.sleep(0.02)
time.sleep(float(os.environ.get("LINGER", "20")))
print("done")
