# many pages at once with a limit
import asyncio
import aiohttp

URLS = [f"https://jsonplaceholder.typicode.com/posts/{i}" for i in range(1, 51)]


async def get(session, url, gate):
    async with gate, session.get(url) as r:
        return (await r.json())["title"]


async def main():
    gate = asyncio.Semaphore(8)
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as s:
        for title in await asyncio.gather(*(get(s, u, gate) for u in URLS)):
            print(title)


asyncio.run(main())
