# class: resources
# what: takes heap memory and touches every page (1.5 GiB at most)
# reason: oom killed signal
# timeout: 8
# include: attack.py
import time

target = min(int(params.get("limit_memory", str(512 << 20))) * 13 // 10, 1500 << 20)
held = []
try:
    while sum(map(len, held)) < target:
        held.append(bytearray(b"x") * (16 << 20))
except MemoryError:
    size = sum(map(len, held)) >> 20
    held.clear()
    contained("MemoryError after %d MiB" % size)
time.sleep(1.5)
escaped("held %d MiB of heap" % (sum(map(len, held)) >> 20))
