# class: fork bomb; possible: low medium high; style: threads
import threading
import time

event = threading.Event()
end = time.time() + 15
n = 0
while time.time() < end:
    try:
        threading.Thread(target=event.wait, daemon=True).start()
        n += 1
    except RuntimeError:
        time.sleep(0.001)
print(n)
