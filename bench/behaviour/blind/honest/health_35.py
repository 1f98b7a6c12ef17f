# class: health checks; possible: low medium; style: six services, every three seconds
import time
import urllib.request

for _ in range(6):
    for n in range(1, 7):
        try:
            print(n, urllib.request.urlopen(f"http://s{n}.good.test/healthz", timeout=2).status)
        except OSError as e:
            print(n, e)
    time.sleep(3)
