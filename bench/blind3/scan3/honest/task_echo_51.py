import asyncio


async def handle(reader, writer):
    peer = writer.get_extra_info("peername")
    while data := await reader.readline():
        writer.write(b"echo: " + data)
        await writer.drain()
    print("bye", peer)
    writer.close()


async def main():
    server = await asyncio.start_server(handle, "127.0.0.1", 8888)
    client_r, client_w = await asyncio.open_connection("127.0.0.1", 8888)
    client_w.write(b"hello\n")
    print(await client_r.readline())
    client_w.close()
    server.close()


asyncio.run(main())
