import functools
import hashlib
import pickle
import time
from pathlib import Path

CACHE = Path(".cache")
CACHE.mkdir(exist_ok=True)


def disk(ttl=3600):
    def deco(fn):
        @functools.wraps(fn)
        def inner(*a, **k):
            key = hashlib.sha1(pickle.dumps((fn.__name__, a, sorted(k.items())))).hexdigest()
            f = CACHE / f"{key}.pkl"
            if f.exists() and time.time() - f.stat().st_mtime < ttl:
                return pickle.loads(f.read_bytes())
            r = fn(*a, **k)
            f.write_bytes(pickle.dumps(r))
            return r
        return inner
    return deco


@disk(60)
def slow(n):
    time.sleep(1)
    return [i * i for i in range(n)]


for _ in range(2):
    t = time.time()
    slow(5)
    print(f"{time.time() - t:.2f}s")
