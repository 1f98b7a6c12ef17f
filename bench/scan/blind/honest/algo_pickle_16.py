# class: algorithm with serialisation; style: tidy
import io
import pickle
from collections import deque

state = {"queue": deque([1, 2, 3], maxlen=5), "seen": {1, 2}}
buffer = io.BytesIO()
pickle.dump(state, buffer)
buffer.seek(0)
assert pickle.load(buffer) == state
