import sys
import time
import urllib.parse as up
import urllib.robotparser as rp
from collections import deque

import requests
from bs4 import BeautifulSoup

UA = "docs-linkcheck/1.0 (+https://example.org/bot)"


def crawl(start, limit=100, delay=1.0):
    host = up.urlsplit(start).netloc
    robots = rp.RobotFileParser(up.urljoin(start, "/robots.txt"))
    robots.read()
    seen, todo = {start}, deque([start])
    while todo and len(seen) <= limit:
        url = todo.popleft()
        if not robots.can_fetch(UA, url):
            continue
        r = requests.get(url, headers={"User-Agent": UA}, timeout=15)
        yield url, r.status_code
        if "text/html" in r.headers.get("content-type", ""):
            for a in BeautifulSoup(r.text, "html.parser").select("a[href]"):
                n = up.urldefrag(up.urljoin(url, a["href"]))[0]
                if up.urlsplit(n).netloc == host and n not in seen:
                    seen.add(n)
                    todo.append(n)
        time.sleep(delay)


for u, code in crawl(sys.argv[1]):
    print(code, u)
