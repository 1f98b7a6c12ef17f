# what: works and rests in turns: half of its share over any window
# network: none
import os, time

for _ in range(12):
    until = time.thread_time() + 0.1 * float(os.environ.get("SHARE", "1"))
    while time.thread_time() < until:
        pass
    time.sleep(0.25)
print("done")
