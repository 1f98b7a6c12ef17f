# what: holds half of what it may have for as long as it likes
# network: none
import os, time

kept = bytearray(b"x") * ((int(os.environ.get("LIMIT_MB", "128")) // 2) << 20)
time.sleep(1.5)
print("done")
