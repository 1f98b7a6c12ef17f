# class: processes
# what: fills its output pipe from several threads and processes, sets it to block for ever, and never ends
# reason: timeout output_limit completed
# timeout: 1
# levels: low high
# outside: output_bounded
# include: attack.py
import threading, time

until = time.monotonic() + 12


def fill(fd):
    while time.monotonic() < until:
        try:
            os.write(fd, b"." * 65536)
        except OSError:
            return


os.write(1, b"CONTAINED: what follows is only noise\n")
for fd in (1, 2):
    try:
        threading.Thread(target=fill, args=(fd,)).start()
    except RuntimeError:
        pass
