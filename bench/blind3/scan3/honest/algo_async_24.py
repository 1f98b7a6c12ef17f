import asyncio
import random


async def producer(q, n):
    for i in range(n):
        await asyncio.sleep(random.random() / 100)
        await q.put(i)
    await q.put(None)


async def consumer(q):
    total = 0
    while (item := await q.get()) is not None:
        total += item * item
    return total


async def main():
    q = asyncio.Queue(5)
    _, total = await asyncio.gather(producer(q, 20), consumer(q))
    print(total)


asyncio.run(main())
