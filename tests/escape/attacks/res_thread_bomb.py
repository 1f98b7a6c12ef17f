# class: resources
# what: starts threads until the limit (300 at most) and keeps them all
# reason: pids_limit killed oom
# timeout: 5
# include: attack.py
import threading

limit = int(params.get("limit_pids", "250"))
gate = threading.Event()
threading.stack_size(65536)
count = 0
try:
    for _ in range(300):
        threading.Thread(target=gate.wait, args=(4,), daemon=True).start()
        count += 1
except (RuntimeError, MemoryError) as error:
    refused("thread", error)
gate.set()
if count > limit:
    escaped("%d threads, the limit is %d" % (count, limit))
contained("%d threads. %s" % (count, " ".join(notes)))
