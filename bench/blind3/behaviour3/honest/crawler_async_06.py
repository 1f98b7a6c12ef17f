# class: crawler; possible: low medium; style: asyncio streams, four hosts, polite
import asyncio
import collections
import re

SEEN, COUNT = set(), collections.Counter()


async def get(host, path):
    r, w = await asyncio.wait_for(asyncio.open_connection(host, 80), 10)
    w.write(("GET %s HTTP/1.0\r\nHost: %s\r\nUser-Agent: study-bot\r\n\r\n" % (path, host)).encode())
    try:
        return (await asyncio.wait_for(r.read(), 10)).decode(errors="replace")
    finally:
        w.close()


async def crawl(host, depth=3):
    queue = [("/", 0)]
    while queue and COUNT[host] < 30:
        path, level = queue.pop(0)
        if (host, path) in SEEN or level > depth:
            continue
        SEEN.add((host, path))
        try:
            page = await get(host, path)
        except (OSError, asyncio.TimeoutError) as e:
            print(host, path, type(e).__name__)
            continue
        COUNT[host] += 1
        queue += [(p, level + 1) for p in re.findall(r'href="(/[^"#]*)"', page)]
        await asyncio.sleep(0.1)


async def main():
    await asyncio.gather(*(crawl(c + ".crawl.test") for c in "abcd"))
    print(dict(COUNT))


asyncio.run(main())
