# class: monitoring; possible: low medium; style: six services, three rounds, table of answers and times
import http.client
import time

HOSTS = ["s%d.good.test" % n for n in range(1, 7)]
table = {h: [] for h in HOSTS}
for turn in range(3):
    for host in HOSTS:
        start = time.perf_counter()
        try:
            c = http.client.HTTPConnection(host, timeout=4)
            c.request("GET", "/health")
            code = c.getresponse().status
            c.close()
        except OSError as e:
            code = type(e).__name__
        table[host].append((code, round((time.perf_counter() - start) * 1000)))
    time.sleep(4)
for host, results in table.items():
    print("%-16s %s" % (host, "  ".join("%s/%dms" % r for r in results)))
