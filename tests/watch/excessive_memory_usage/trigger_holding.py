# what: takes nearly all memory it may have, and holds it
# network: none
import os, time

limit = int(os.environ.get("LIMIT_MB", "128"))
print("begun", flush=True)
kept = []
while sum(map(len, kept)) < (limit - 14) << 20:
    kept.append(bytearray(b"x") * (1 << 20))
time.sleep(float(os.environ.get("BUSY", "60")))
print("done")
