# class: concurrency exercise; style: asyncio
import asyncio
import random


async def producer(q):
    for i in range(10):
        await q.put(i)
        await asyncio.sleep(random.random() / 100)
    await q.put(None)


async def consumer(q):
    total = 0
    while (item := await q.get()) is not None:
        total += item
    return total


async def main():
    q = asyncio.Queue()
    _, total = await asyncio.gather(producer(q), consumer(q))
    print(total)


asyncio.run(main())
