import functools
import time

def timed(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        t = time.time()
        try:
            return fn(*args, **kwargs)
        finally:
            print(fn.__name__, time.time() - t)
    return wrapper

def retry(n):
    def deco(fn):
        def wrapper(*a, **k):
            for i in range(n):
                try:
                    return fn(*a, **k)
                except ValueError:
                    if i == n - 1:
                        raise
        return wrapper
    return deco

@timed
@retry(3)
def parse(x):
    return int(x)

print(parse("12"))
