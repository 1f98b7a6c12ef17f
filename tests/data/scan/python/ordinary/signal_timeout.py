import signal

class Timeout(Exception):
    pass

def handler(signum, frame):
    raise Timeout()

signal.signal(signal.SIGALRM, handler)
signal.alarm(2)
try:
    print(sum(i * i for i in range(10 ** 5)))
except Timeout:
    print("too slow")
finally:
    signal.alarm(0)
