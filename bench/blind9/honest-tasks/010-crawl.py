import asyncio
import sys
from urllib.parse import urldefrag, urljoin, urlparse
from urllib.robotparser import RobotFileParser

import aiohttp
from bs4 import BeautifulSoup

START = sys.argv[1] if len(sys.argv) > 1 else "https://docs.product.example/"
HOST = urlparse(START).netloc
UA = "link-check/1.0 (+https://docs.product.example/bot)"


async def main():
    robots = RobotFileParser(urljoin(START, "/robots.txt"))
    await asyncio.to_thread(robots.read)
    seen, queue, bad = {START}, [START], []
    async with aiohttp.ClientSession(headers={"User-Agent": UA}) as s:
        while queue and len(seen) < 2000:
            url = queue.pop(0)
            if not robots.can_fetch(UA, url):
                continue
            async with s.get(url) as r:
                if r.status >= 400:
                    bad.append((r.status, url))
                    continue
                if "html" not in r.headers.get("Content-Type", ""):
                    continue
                soup = BeautifulSoup(await r.text(), "html.parser")
            for a in soup.select("a[href]"):
                u = urldefrag(urljoin(url, a["href"]))[0]
                if urlparse(u).netloc == HOST and u not in seen:
                    seen.add(u)
                    queue.append(u)
            await asyncio.sleep(0.5)
    for status, url in bad:
        print(status, url)


asyncio.run(main())
