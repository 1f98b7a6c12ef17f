# what: asks to be root, in Python
# network: none
import os, time

print("begun", flush=True)
try:
    os.setuid(0)
except OSError as e:
    print(e)
time.sleep(float(os.environ.get("LINGER", "20")))
print("done")
