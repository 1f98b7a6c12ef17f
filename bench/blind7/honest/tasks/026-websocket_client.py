import asyncio
import json
import websockets


async def main():
    url = "wss://ticker.example.com/ws/eur-usd"
    bucket, start = [], None
    async for ws in websockets.connect(url, ping_interval=20):
        try:
            async for raw in ws:
                t = json.loads(raw)
                minute = t["ts"] // 60000
                if start is None:
                    start = minute
                if minute != start:
                    print(start * 60, "o", bucket[0], "h", max(bucket), "l", min(bucket), "c", bucket[-1])
                    bucket, start = [], minute
                bucket.append(float(t["price"]))
        except websockets.ConnectionClosed:
            continue


asyncio.run(main())
