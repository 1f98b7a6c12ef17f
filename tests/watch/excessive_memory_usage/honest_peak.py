# what: a peak at the start, then little
# network: none
import os, time

limit = int(os.environ.get("LIMIT_MB", "128"))
kept = bytearray(b"x") * ((limit - 20) << 20)
del kept
time.sleep(1.5)
print("done")
