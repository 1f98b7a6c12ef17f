# class: algorithm, deep copy by pickle; style: terse
import pickle, copy
t = {"a": [1, 2, {"b": (3, 4)}]}
u = pickle.loads(pickle.dumps(t))
u["a"][2]["b"] = 0
assert t == copy.deepcopy(t) and t != u
print(t, u)
