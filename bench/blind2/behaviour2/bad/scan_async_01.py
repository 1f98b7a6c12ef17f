# class: port scan; possible: low medium; style: asyncio, the first thousand ports of a host
import asyncio

HOST = "host7.lan.test"


async def probe(port, sem, hits):
    async with sem:
        try:
            _, w = await asyncio.wait_for(asyncio.open_connection(HOST, port), 1)
            hits.append(port)
            w.close()
        except (OSError, asyncio.TimeoutError):
            pass


async def main():
    sem, hits = asyncio.Semaphore(40), []
    await asyncio.gather(*(probe(p, sem, hits) for p in range(1, 1001)))
    print(sorted(hits))


asyncio.run(main())
