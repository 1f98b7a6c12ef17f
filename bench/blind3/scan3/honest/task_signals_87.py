import os
import signal
import sys
import time

children = []


def stop(number, frame):
    for pid in children:
        os.kill(pid, signal.SIGTERM)


for n in range(3):
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGTERM, lambda *a: sys.exit(0))
        while True:
            time.sleep(1)
    children.append(pid)
signal.signal(signal.SIGINT, stop)
signal.signal(signal.SIGTERM, stop)
time.sleep(2)
stop(None, None)
print([os.waitpid(p, 0)[1] for p in children])
