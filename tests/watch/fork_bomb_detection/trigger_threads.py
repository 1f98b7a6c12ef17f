# what: a bomb of threads, against the limit again and again
# network: none
# needs: cgroup
import os, threading, time

print("begun", flush=True)
until, failed = time.monotonic() + float(os.environ.get("BUSY", "20")), 0
while time.monotonic() < until:
    try:
        threading.Thread(target=time.sleep, args=[30], daemon=True).start()
    except RuntimeError:
        failed += 1
        time.sleep(0.001)
print("done")
