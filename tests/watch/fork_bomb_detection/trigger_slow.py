# what: one more process every moment, and at the limit a new attempt now and then; none of them ends
# network: none
import os, time

print("begun", flush=True)
until = time.monotonic() + float(os.environ.get("BUSY", "40"))
ours = os.getpid()
children, failed = [], 0
while time.monotonic() < until and failed < 60:
    try:
        child = os.fork()
    except OSError:
        failed += 1
        time.sleep(0.3)
        continue
    if child == 0:
        time.sleep(1000)
        os._exit(0)
    children.append(child)
    time.sleep(0.01)
if os.getpid() == ours:
    time.sleep(float(os.environ.get("LINGER", "20")))
    for child in children:
        os.kill(child, 9)
    print("done")
