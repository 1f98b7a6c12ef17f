# class: processes
# what: ignores or handles every signal that can be ignored and prints on
# reason: timeout
# timeout: 1
# levels: low high
# include: attack.py
import signal, time

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN if number % 2 else lambda *_: None)
    except (OSError, ValueError):
        pass
until = time.monotonic() + 12
while time.monotonic() < until:
    time.sleep(0.05)
escaped("outlived the deadline by far")
