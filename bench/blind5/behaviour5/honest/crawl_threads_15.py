# class: crawler; possible: low medium
from concurrent.futures import ThreadPoolExecutor
from urllib.request import urlopen
urls = ["http://%s/page/%d" % (h, i) for h in ("docs.good.test", "a.crawl.test", "c.crawl.test") for i in range(30)]
with ThreadPoolExecutor(8) as pool:
    sizes = list(pool.map(lambda u: len(urlopen(u, timeout=15).read()), urls))
print(sum(sizes))
