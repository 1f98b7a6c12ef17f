import statistics
import time
from concurrent.futures import ThreadPoolExecutor
import requests

URL = "http://127.0.0.1:8000/health"


def one(_):
    t = time.perf_counter()
    r = requests.get(URL, timeout=5)
    return r.status_code, (time.perf_counter() - t) * 1000


with ThreadPoolExecutor(8) as ex:
    res = list(ex.map(one, range(200)))
ms = sorted(m for c, m in res if c == 200)
print(f"ok {len(ms)}/200 median {statistics.median(ms):.1f}ms p95 {ms[int(len(ms) * .95)]:.1f}ms")
