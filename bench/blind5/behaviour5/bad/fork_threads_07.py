# class: fork bomb; possible: low medium high
import threading, time
held = threading.Event()
while True:
    try: threading.Thread(target=held.wait, daemon=True).start()
    except RuntimeError: time.sleep(0.002)
