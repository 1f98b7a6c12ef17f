import sys
import time
import urllib.robotparser
from collections import deque
from urllib.parse import urldefrag, urljoin, urlparse

import requests
from bs4 import BeautifulSoup

start = sys.argv[1] if len(sys.argv) > 1 else "https://docs.example.com/"
host = urlparse(start).netloc
robots = urllib.robotparser.RobotFileParser(urljoin(start, "/robots.txt"))
robots.read()

session = requests.Session()
session.headers["User-Agent"] = "linkcheck/1.0 (+docs@example.com)"
queue, seen, broken = deque([(start, None)]), {start}, []

while queue and len(seen) < 2000:
    url, parent = queue.popleft()
    if not robots.can_fetch("linkcheck", url):
        continue
    r = session.get(url, timeout=15)
    if not r.ok:
        broken.append((r.status_code, url, parent))
        continue
    if urlparse(url).netloc != host or "html" not in r.headers.get("content-type", ""):
        continue
    for a in BeautifulSoup(r.text, "html.parser").select("a[href]"):
        link = urldefrag(urljoin(url, a["href"])).url
        if link.startswith("http") and link not in seen:
            seen.add(link)
            queue.append((link, url))
    time.sleep(0.3)

for code, url, parent in broken:
    print(code, url, "linked from", parent)
sys.exit(bool(broken))
