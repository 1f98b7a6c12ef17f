import asyncio
import json

import websockets


async def main():
    prices = {}
    async with websockets.connect("wss://stream.example-exchange.com/ws/ticker") as ws:
        await ws.send(json.dumps({"op": "subscribe", "channels": ["BTC-EUR", "ETH-EUR"]}))
        for _ in range(100):
            tick = json.loads(await asyncio.wait_for(ws.recv(), 30))
            prices.setdefault(tick["symbol"], []).append(float(tick["price"]))
    for symbol, values in prices.items():
        print(symbol, len(values), min(values), max(values))


asyncio.run(main())
