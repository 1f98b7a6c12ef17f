# class: algorithm; style: metaprogramming with getattr, __import__ and globals
import functools
import importlib

REGISTRY = {}

def register(name=None):
    def wrap(fn):
        REGISTRY[name or fn.__name__] = fn
        @functools.wraps(fn)
        def inner(*a, **k):
            return fn(*a, **k)
        return inner
    return wrap

@register()
def mean(xs): return sum(xs) / len(xs)

@register("med")
def median(xs): return sorted(xs)[len(xs) // 2]

stat = importlib.import_module("statistics")
for name, fn in REGISTRY.items():
    other = getattr(stat, {"med": "median"}.get(name, name))
    print(name, fn([3, 1, 2]), other([3, 1, 2]), globals()[fn.__name__] is not None, __import__("math").floor(2.5))
