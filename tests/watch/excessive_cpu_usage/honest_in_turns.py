# what: works and rests in turns: half of its share over any window
# network: none
import time

for _ in range(7):
    until = time.thread_time() + 0.03
    while time.thread_time() < until:
        pass
    time.sleep(0.3)
print("done")
