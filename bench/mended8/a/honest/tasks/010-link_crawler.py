import asyncio
import sys
from urllib.parse import urldefrag, urljoin, urlparse
from urllib.robotparser import RobotFileParser

import httpx
from bs4 import BeautifulSoup


async def crawl(start, limit=200):
    host = urlparse(start).netloc
    rp = RobotFileParser(urljoin(start, "/robots.txt"))
    rp.read()
    seen, queue, bad = {start}, [start], []
    async with httpx.AsyncClient(follow_redirects=True, timeout=10, headers={"User-Agent": "linkcheck/1.0"}) as c:
        while queue and len(seen) <= limit:
            url = queue.pop(0)
            if not rp.can_fetch("linkcheck", url):
                continue
            try:
                r = await c.get(url)
            except httpx.HTTPError as e:
                bad.append((url, str(e)))
                continue
            if r.status_code >= 400:
                bad.append((url, r.status_code))
            elif "html" in r.headers.get("content-type", "") and r.url.host == host:
                for a in BeautifulSoup(r.text, "html.parser").select("a[href]"):
                    nxt = urldefrag(urljoin(str(r.url), a["href"]))[0]
                    if urlparse(nxt).netloc == host and nxt not in seen:
                        seen.add(nxt)
                        queue.append(nxt)
            await asyncio.sleep(0.2)
    return bad


for u, why in asyncio.run(crawl(sys.argv[1])):
    print(why, u)
