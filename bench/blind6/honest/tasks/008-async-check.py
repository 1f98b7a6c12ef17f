import asyncio
import sys
import aiohttp

URLS = ["https://example.org", "https://example.com/health", "https://api.example.com/v1/status"]


async def check(s, u):
    try:
        async with s.get(u, timeout=aiohttp.ClientTimeout(total=8)) as r:
            return u, r.status
    except (aiohttp.ClientError, asyncio.TimeoutError) as e:
        return u, type(e).__name__


async def main():
    async with aiohttp.ClientSession() as s:
        res = await asyncio.gather(*(check(s, u) for u in URLS))
    for u, st in res:
        print(f"{st!s:20} {u}")
    return any(st != 200 for _, st in res)

sys.exit(asyncio.run(main()))
