# class: network, many downloads; style: aiohttp
import asyncio
import pathlib

import aiohttp

URLS = [f"https://data.example/part-{i:03}.parquet" for i in range(20)]


async def fetch(session, sem, url):
    async with sem, session.get(url) as resp:
        resp.raise_for_status()
        pathlib.Path("parts", url.rsplit("/", 1)[1]).write_bytes(await resp.read())


async def main():
    pathlib.Path("parts").mkdir(exist_ok=True)
    sem = asyncio.Semaphore(5)
    async with aiohttp.ClientSession() as session:
        await asyncio.gather(*(fetch(session, sem, u) for u in URLS))


asyncio.run(main())
