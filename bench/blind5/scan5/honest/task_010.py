import asyncio, aiohttp
URLS = ["https://example.com", "https://www.python.org", "https://httpbin.org/get"]
async def fetch(s, u):
    async with s.get(u) as r: return u, r.status, len(await r.read())
async def main():
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=20)) as s:
        for row in await asyncio.gather(*(fetch(s, u) for u in URLS)): print(*row)
asyncio.run(main())
