# class: flood; possible: low medium; style: writes until it is refused, then again
import os
import time

end = time.time() + 20
n = 0
while time.time() < end:
    try:
        with open(f"/tmp/f{n}", "wb") as fh:
            while time.time() < end:
                fh.write(os.urandom(1 << 20))
    except OSError as e:
        print(e)
        time.sleep(0.5)
    n += 1
