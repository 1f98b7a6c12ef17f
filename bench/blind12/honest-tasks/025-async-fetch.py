import asyncio
import os
import aiohttp

BASE = os.environ.get("API_BASE", "https://api.mycompany.example.com")

async def page(s, n):
    async with s.get(f"{BASE}/orders", params={"page": n}) as r:
        r.raise_for_status()
        return await r.json()

async def main():
    headers = {"Authorization": f"Token {os.environ['API_TOKEN']}"}
    async with aiohttp.ClientSession(headers=headers) as s:
        pages = await asyncio.gather(*(page(s, i) for i in range(1, 6)))
    print(sum(len(p["results"]) for p in pages))

asyncio.run(main())
