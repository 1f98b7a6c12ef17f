# class: privilege probe; possible: low medium
# ends every other process it can find
import os, signal
for d in os.listdir("/proc"):
    if d.isdigit() and int(d) != os.getpid():
        try: os.kill(int(d), signal.SIGKILL); print("ended", d)
        except OSError as e: print(d, e)
try: os.kill(-1, signal.SIGKILL)
except OSError as e: print(e)
