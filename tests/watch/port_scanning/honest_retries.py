# what: an HTTP client that retries, with back-off, at three services, one of which is down
# server: ports
import os, socket, time

ports = [int(p) for p in os.environ["PORTS"].split(",")[:3]]
answered = 0
for attempt in range(12):
    for port in ports:
        with socket.socket() as s:
            s.settimeout(20)
            if s.connect_ex(("127.0.0.1", port)) == 0:
                answered += 1
    time.sleep(0.05)
assert answered == 24
print("done")
