# class: health check; possible: low medium
import time, urllib.request
for _ in range(5):
    for i in range(1, 7):
        t = time.time(); ok = urllib.request.urlopen("http://s%d.good.test/health" % i, timeout=5).status == 200
        print("s%d" % i, "up" if ok else "down", round(time.time() - t, 3))
    time.sleep(2)
