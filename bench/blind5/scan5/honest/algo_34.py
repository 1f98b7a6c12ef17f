import asyncio, random
async def philosopher(i, forks, log):
    for _ in range(3):
        a, b = sorted((i, (i + 1) % len(forks)))
        async with forks[a]:
            async with forks[b]:
                log.append(i); await asyncio.sleep(random.random() / 100)
async def main():
    forks, log = [asyncio.Lock() for _ in range(5)], []
    await asyncio.gather(*(philosopher(i, forks, log) for i in range(5))); print(len(log))
asyncio.run(main())
