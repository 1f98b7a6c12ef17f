# what: a TCP socket where there is no network
# network: none
import socket, time

print("begun", flush=True)
try:
    socket.socket().connect(("192.0.2.1", 80))
except OSError as e:
    print(e)
time.sleep(0.6)
print("done")
