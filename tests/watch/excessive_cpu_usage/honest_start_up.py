# what: works as hard as it may for a while, as at a start, then waits and works a little
# network: none
import time

until = time.thread_time() + 0.05  # with the interpreter's own start half of what the window may see
while time.thread_time() < until:
    pass
for _ in range(16):
    time.sleep(0.1)
    sum(range(1000))
print("done")
