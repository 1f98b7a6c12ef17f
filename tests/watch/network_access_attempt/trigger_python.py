# what: a TCP socket where there is no network
# network: none
import os, socket, time

print("begun", flush=True)
try:
    socket.socket().connect(("192.0.2.1", 80))
except OSError as e:
    print(e)
time.sleep(float(os.environ.get("LINGER", "20")))
print("done")
