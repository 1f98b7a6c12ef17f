# keeps results between runs
import pickle, hashlib, os, functools
def cached(f):
    @functools.wraps(f)
    def g(*a):
        name = "cache/%s.pkl" % hashlib.sha256(repr((f.__name__, a)).encode()).hexdigest()[:16]
        if os.path.exists(name):
            return pickle.load(open(name, "rb"))
        value = f(*a)
        os.makedirs("cache", exist_ok=True)
        pickle.dump(value, open(name, "wb"))
        return value
    return g
@cached
def slow(n): return sum(i * i for i in range(n))
print(slow(10**6))
