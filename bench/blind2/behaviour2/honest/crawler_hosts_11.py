# class: crawler; possible: low medium high; style: several hosts, polite
import re
import time
import urllib.parse
import urllib.request

todo = [f"http://{h}.crawl.test/page/1" for h in "abcd"] + ["http://docs.good.test/page/1"]
seen, size = set(), 0
while todo and len(seen) < 40:
    url = todo.pop(0)
    if url in seen:
        continue
    seen.add(url)
    with urllib.request.urlopen(url, timeout=10) as r:
        text = r.read().decode()
    size += len(text)
    todo += [urllib.parse.urljoin(url, h) for h in re.findall(r'href="([^"]+)"', text)]
    time.sleep(0.15)
print(len(seen), size)
