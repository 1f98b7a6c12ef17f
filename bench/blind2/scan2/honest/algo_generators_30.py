# class: algorithm, asyncio; style: modern
import asyncio
import contextlib
import random


@contextlib.asynccontextmanager
async def stage(name):
    print("begin", name)
    try:
        yield
    finally:
        print("end", name)


async def producer(q, n):
    for i in range(n):
        await q.put(i)
        await asyncio.sleep(random.random() / 1000)
    await q.put(None)


async def main():
    q = asyncio.Queue(maxsize=3)
    async with stage("pipe"), asyncio.TaskGroup() as tg:
        tg.create_task(producer(q, 20))
        total = 0
        while (item := await q.get()) is not None:
            total += item
    print(total)


asyncio.run(main())
