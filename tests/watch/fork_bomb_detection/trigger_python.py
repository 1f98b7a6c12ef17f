# what: the same in Python, each child a bomber of its own
# network: none
import os, time

print("begun", flush=True)
until = time.monotonic() + float(os.environ.get("BUSY", "20"))
ours = os.getpid()
while time.monotonic() < until:
    try:
        os.fork()
    except OSError:
        pass
if os.getpid() == ours:
    print("done")
os._exit(0)
