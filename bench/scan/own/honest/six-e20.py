import websockets, asyncio, json
async def echo(ws):
    async for m in ws:
        d = json.loads(m)
        await ws.send(json.dumps({"ok": True, "sum": sum(d.get("n", []))}))
async def main():
    async with websockets.serve(echo, "localhost", 8765):
        await asyncio.Future()
asyncio.run(main())
