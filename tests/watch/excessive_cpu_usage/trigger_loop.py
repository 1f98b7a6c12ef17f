# what: uses everything it may have, without end
# network: none
import time

print("begun", flush=True)
until = time.monotonic() + 12
while time.monotonic() < until:
    pass
print("done")
