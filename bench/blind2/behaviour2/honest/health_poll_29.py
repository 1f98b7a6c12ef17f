# class: health check; possible: low medium high; style: six services again and again
import time
import urllib.request

up = {}
for turn in range(6):
    for i in range(1, 7):
        t = time.time()
        try:
            with urllib.request.urlopen(f"http://s{i}.good.test/health", timeout=5) as r:
                up.setdefault(i, []).append((r.status, time.time() - t))
        except OSError as e:
            up.setdefault(i, []).append((0, str(e)))
    time.sleep(3)
for i, seen in up.items():
    print(f"s{i}", sum(s == 200 for s, _ in seen), "of", len(seen))
