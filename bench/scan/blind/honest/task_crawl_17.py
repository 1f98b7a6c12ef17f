# class: network, crawler; style: BeautifulSoup
from collections import deque
from urllib.parse import urljoin, urlparse

import requests
from bs4 import BeautifulSoup

start = "https://docs.example/"
queue, seen = deque([start]), {start}
while queue and len(seen) < 50:
    url = queue.popleft()
    soup = BeautifulSoup(requests.get(url, timeout=5).text, "html.parser")
    print(url, soup.title.string if soup.title else "")
    for a in soup.select("a[href]"):
        link = urljoin(url, a["href"]).split("#")[0]
        if urlparse(link).netloc == urlparse(start).netloc and link not in seen:
            seen.add(link)
            queue.append(link)
