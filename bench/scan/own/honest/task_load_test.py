import concurrent.futures, time, urllib.request
def one(_):
    t = time.time()
    with urllib.request.urlopen("http://localhost:8080/", timeout=5) as r:
        r.read()
    return time.time() - t
with concurrent.futures.ThreadPoolExecutor(20) as pool:
    times = sorted(pool.map(one, range(500)))
print("p50", times[250], "p99", times[495])
