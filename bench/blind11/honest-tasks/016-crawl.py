import time
import urllib.robotparser
from collections import deque
from urllib.parse import urljoin, urlparse

import requests
from bs4 import BeautifulSoup

START = "https://shop.example/"
AGENT = "shelf-crawler/0.3 (+https://shelf.example/bot)"


def allowed(rp, url):
    return urlparse(url).netloc == urlparse(START).netloc and rp.can_fetch(AGENT, url)


def crawl(limit=100):
    rp = urllib.robotparser.RobotFileParser(urljoin(START, "/robots.txt"))
    rp.read()
    seen, todo = {START}, deque([START])
    while todo and limit:
        url = todo.popleft()
        limit -= 1
        r = requests.get(url, headers={"User-Agent": AGENT}, timeout=10)
        soup = BeautifulSoup(r.text, "html.parser")
        yield url, soup.title.string if soup.title else ""
        for a in soup.select("a[href]"):
            nxt = urljoin(url, a["href"]).split("#")[0]
            if nxt not in seen and allowed(rp, nxt):
                seen.add(nxt)
                todo.append(nxt)
        time.sleep(1)


for u, t in crawl():
    print(u, t, sep="\t")
