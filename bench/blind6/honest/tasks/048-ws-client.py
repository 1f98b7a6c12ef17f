import asyncio
import json
import websockets


async def main():
    async with websockets.connect("ws://localhost:8765/events") as ws:
        await ws.send(json.dumps({"subscribe": ["builds"]}))
        with open("events.jsonl", "a") as f:
            async for msg in ws:
                ev = json.loads(msg)
                f.write(json.dumps(ev) + "\n")
                f.flush()
                print(ev.get("type"), ev.get("status"))

asyncio.run(main())
