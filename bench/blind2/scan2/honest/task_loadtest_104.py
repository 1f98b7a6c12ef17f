# class: benchmark, many requests to one's own service; style: threads
import concurrent.futures, statistics, time, urllib.request
URL = "http://127.0.0.1:8080/api/items"
def one(_):
    t = time.perf_counter()
    with urllib.request.urlopen(URL, timeout=10) as r: r.read()
    return time.perf_counter() - t
with concurrent.futures.ThreadPoolExecutor(20) as ex:
    times = list(ex.map(one, range(1000)))
print(f"p50 {statistics.median(times)*1e3:.1f} ms  p99 {sorted(times)[989]*1e3:.1f} ms")
