# what: works hard for a second, as at a start, then waits and works a little
# network: none
import time

until = time.monotonic() + 1
while time.monotonic() < until:
    pass
for _ in range(25):
    time.sleep(0.1)
    sum(range(10000))
print("done")
