# what: asks to be root, in Python
# network: none
import os, time

print("begun", flush=True)
try:
    os.setuid(0)
except OSError as e:
    print(e)
time.sleep(0.6)
print("done")
