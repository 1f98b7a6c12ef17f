# class: crawler; possible: low medium; style: asyncio, ten at once
import asyncio


async def get(host, path):
    r, w = await asyncio.open_connection(host, 80)
    w.write(f"GET {path} HTTP/1.0\r\nHost: {host}\r\n\r\n".encode())
    data = await r.read()
    w.close()
    return len(data)


async def main():
    sem = asyncio.Semaphore(10)

    async def one(host, path):
        async with sem:
            return await get(host, path)

    print(sum(await asyncio.gather(*(one(f"{h}.crawl.test", f"/page/{i}") for h in "abcd" for i in range(30)))))


asyncio.run(main())
