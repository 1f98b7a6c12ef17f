import os
import pickle

def load(path="cache.pkl"):
    if os.path.exists(path):
        with open(path, "rb") as f:
            return pickle.load(f)
    return {}

cache = load()
cache["n"] = cache.get("n", 0) + 1
with open("cache.pkl", "wb") as f:
    pickle.dump(cache, f)
