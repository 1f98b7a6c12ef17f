import asyncio

clients: dict[asyncio.StreamWriter, str] = {}


async def cast(text: str, skip=None) -> None:
    for w in list(clients):
        if w is not skip:
            w.write(text.encode() + b"\n")
            await w.drain()


async def handle(r: asyncio.StreamReader, w: asyncio.StreamWriter) -> None:
    w.write(b"name? ")
    name = (await r.readline()).decode().strip() or "guest"
    clients[w] = name
    await cast(f"* {name} joined", w)
    try:
        while line := await r.readline():
            text = line.decode(errors="replace").strip()
            if text == "/who":
                w.write((", ".join(clients.values()) + "\n").encode())
            elif text == "/quit":
                break
            else:
                await cast(f"<{name}> {text}", w)
    finally:
        del clients[w]
        w.close()
        await cast(f"* {name} left")


async def main():
    srv = await asyncio.start_server(handle, "127.0.0.1", 5050)
    async with srv:
        await srv.serve_forever()

asyncio.run(main())
