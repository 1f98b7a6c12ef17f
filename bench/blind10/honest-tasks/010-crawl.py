import asyncio
import csv
from urllib import robotparser
from urllib.parse import urldefrag, urljoin, urlparse

import aiohttp
from bs4 import BeautifulSoup

START = "https://docs.widgets.example/"
AGENT = "linkcheck/0.4 (+https://widgets.example/bot)"
LIMIT = 200


async def main():
    rp = robotparser.RobotFileParser(urljoin(START, "/robots.txt"))
    await asyncio.to_thread(rp.read)
    seen, queue, rows = {START}, [START], []
    async with aiohttp.ClientSession(headers={"User-Agent": AGENT}) as s:
        while queue and len(rows) < LIMIT:
            url = queue.pop(0)
            if not rp.can_fetch(AGENT, url):
                continue
            async with s.get(url, timeout=aiohttp.ClientTimeout(total=15)) as r:
                body = await r.text() if "html" in r.headers.get("Content-Type", "") else ""
                rows.append((r.status, url))
            for a in BeautifulSoup(body, "lxml").select("a[href]"):
                link = urldefrag(urljoin(url, a["href"]))[0]
                if urlparse(link).netloc == urlparse(START).netloc and link not in seen:
                    seen.add(link)
                    queue.append(link)
            await asyncio.sleep(0.5)
    with open("links.csv", "w", newline="") as fh:
        csv.writer(fh).writerows(rows)
    print(sum(s >= 400 for s, _ in rows), "broken of", len(rows))

asyncio.run(main())
