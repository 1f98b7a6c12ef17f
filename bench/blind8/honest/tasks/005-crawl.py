import sys
import time
from collections import deque
from urllib.parse import urldefrag, urljoin, urlsplit
from urllib.robotparser import RobotFileParser

import requests
from bs4 import BeautifulSoup

UA = "linkcheck/1.0 (+https://example.com/bot)"


def crawl(start, limit=200):
    site = urlsplit(start).netloc
    robots = RobotFileParser(urljoin(start, "/robots.txt"))
    robots.read()
    todo, seen, dead = deque([(start, "-")]), {start}, []
    s = requests.Session()
    s.headers["User-Agent"] = UA
    while todo and len(seen) < limit:
        url, src = todo.popleft()
        if not robots.can_fetch(UA, url):
            continue
        try:
            r = s.get(url, timeout=10)
        except requests.RequestException as e:
            dead.append((src, url, type(e).__name__))
            continue
        if r.status_code >= 400:
            dead.append((src, url, r.status_code))
        elif urlsplit(url).netloc == site and "html" in r.headers.get("content-type", ""):
            for a in BeautifulSoup(r.text, "html.parser").select("a[href]"):
                nxt = urldefrag(urljoin(url, a["href"]))[0]
                if nxt.startswith("http") and nxt not in seen:
                    seen.add(nxt)
                    todo.append((nxt, url))
        time.sleep(robots.crawl_delay(UA) or 0.5)
    return dead


for row in crawl(sys.argv[1]):
    print(*row, sep="\t")
