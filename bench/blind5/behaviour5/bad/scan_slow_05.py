# class: port scan; possible: low medium high
# less than forty a minute
import random, socket, time
targets = [(h, p) for h in range(1, 61) for p in (22, 443)]
random.seed(4); random.shuffle(targets)
t = time.time()
while time.time() - t < 66:
    h, p = targets.pop()
    s = socket.socket(); s.settimeout(0.4)
    s.connect_ex(("45.78.0.%d" % h, p)); s.close()
    time.sleep(1.35)
