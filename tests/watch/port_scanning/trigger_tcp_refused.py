# what: tries many ports of an address that its rules refuse
import os, socket, time

print("begun", flush=True)
for port in range(1000, 1200):
    with socket.socket() as s:
        s.settimeout(0.2)
        s.connect_ex(("10.11.12.13", port))
time.sleep(float(os.environ.get("LINGER", "20")))
print("done")
