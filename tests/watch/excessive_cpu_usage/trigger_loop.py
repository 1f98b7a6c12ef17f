# what: uses everything it may have, without end
# network: none
import os, time

print("begun", flush=True)
until = time.monotonic() + float(os.environ.get("BUSY", "60"))
while time.monotonic() < until:
    pass
print("done")
