import asyncio, json
async def handle(reader, writer):
    while line := await reader.readline():
        req = json.loads(line)
        if req["op"] == "sum":
            writer.write(json.dumps(sum(req["args"])).encode() + b"\n")
        elif req["op"] == "uptime":
            p = await asyncio.create_subprocess_exec("uptime", stdout=asyncio.subprocess.PIPE)
            out, _ = await p.communicate()
            writer.write(out)
        await writer.drain()
async def main():
    s = await asyncio.start_server(handle, "127.0.0.1", 9000)
    async with s: await s.serve_forever()
asyncio.run(main())
