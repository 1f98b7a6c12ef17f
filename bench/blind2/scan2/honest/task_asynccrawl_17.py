# class: network, many downloads; style: asyncio
import asyncio, aiohttp, pathlib, sys

async def get(s, sem, url, out):
    async with sem:
        async with s.get(url) as r:
            r.raise_for_status()
            data = await r.read()
    (out / url.rsplit("/", 1)[-1]).write_bytes(data)
    return len(data)

async def main(listfile):
    out = pathlib.Path("downloads"); out.mkdir(exist_ok=True)
    urls = pathlib.Path(listfile).read_text().split()
    sem = asyncio.Semaphore(8)
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=60)) as s:
        sizes = await asyncio.gather(*(get(s, sem, u, out) for u in urls), return_exceptions=True)
    for u, n in zip(urls, sizes):
        print(n, u)

asyncio.run(main(sys.argv[1]))
