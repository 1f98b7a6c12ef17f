# class: resources
# what: writes to both streams at once, a byte at a time and in bursts, so that reading one stream first waits for ever
# reason: completed output_limit timeout killed signal
# timeout: 5
# outside: output_bounded
# include: attack.py
os.write(1, b"CONTAINED: what follows is cut from outside\n")
try:
    for i in range(3000):
        os.write(2, b"e" * (1 if i % 2 else 65536))
        os.write(1, b"o" * (65536 if i % 2 else 1))
except OSError:
    pass
os._exit(0)
