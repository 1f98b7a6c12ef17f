# what: a bomb of threads, against the limit again and again
# network: none
# needs: cgroup
import threading, time

print("begun", flush=True)
until, failed = time.monotonic() + 4, 0
while time.monotonic() < until:
    try:
        threading.Thread(target=time.sleep, args=[5], daemon=True).start()
    except RuntimeError:
        failed += 1
        time.sleep(0.001)
print("done")
