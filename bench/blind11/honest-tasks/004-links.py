import asyncio
import re
import sys
from pathlib import Path

import aiohttp

URL = re.compile(r"https?://[^\s)\"'>]+")


async def check(session, sem, url):
    async with sem:
        try:
            async with session.head(url, allow_redirects=True) as r:
                return url, r.status
        except (aiohttp.ClientError, asyncio.TimeoutError) as e:
            return url, type(e).__name__


async def main(root):
    urls = {u for p in Path(root).rglob("*.md") for u in URL.findall(p.read_text())}
    sem = asyncio.Semaphore(10)
    timeout = aiohttp.ClientTimeout(total=20)
    async with aiohttp.ClientSession(timeout=timeout) as s:
        bad = [r for r in await asyncio.gather(*(check(s, sem, u) for u in urls)) if r[1] != 200]
    for url, why in sorted(bad):
        print(why, url)
    return 1 if bad else 0


sys.exit(asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "docs")))
