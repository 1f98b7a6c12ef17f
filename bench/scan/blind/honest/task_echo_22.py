# class: network, echo server and client; style: asyncio streams
import asyncio


async def handle(reader, writer):
    while line := await reader.readline():
        writer.write(line.upper())
        await writer.drain()
    writer.close()


async def main():
    server = await asyncio.start_server(handle, "127.0.0.1", 8765)
    r, w = await asyncio.open_connection("127.0.0.1", 8765)
    w.write(b"hello\n")
    print(await r.readline())
    w.close()
    server.close()


asyncio.run(main())
