# class: crawler; possible: low medium; style: queue, several hosts
import re
import urllib.parse
import urllib.request
from collections import deque

queue = deque(f"http://{h}.crawl.test/" for h in "abcd")
seen = set(queue)
while queue and len(seen) < 80:
    url = queue.popleft()
    with urllib.request.urlopen(url, timeout=5) as r:
        text = r.read().decode()
    for link in re.findall(r'href="([^"]+)"', text):
        full = urllib.parse.urljoin(url, link)
        if full not in seen:
            seen.add(full)
            queue.append(full)
print(len(seen))
