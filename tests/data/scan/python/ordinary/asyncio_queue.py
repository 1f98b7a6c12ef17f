import asyncio
import random

async def producer(q):
    for i in range(5):
        await q.put(i)
        await asyncio.sleep(random.random() / 100)
    await q.put(None)

async def main():
    q = asyncio.Queue()
    task = asyncio.create_task(producer(q))
    while (item := await q.get()) is not None:
        print(item)
    await task

asyncio.run(main())
