import asyncio
import json
import sqlite3
from collections import defaultdict

import websockets

URL = "wss://stream.prices.example/v1"
PAIRS = ["EURUSD", "EURCHF"]

db = sqlite3.connect("candles.db")
db.execute("CREATE TABLE IF NOT EXISTS candle (pair TEXT, minute INT, o REAL, h REAL, l REAL, c REAL, PRIMARY KEY (pair, minute))")
cur = defaultdict(dict)


def tick(pair, ts, price):
    m = int(ts // 60)
    k = cur[pair]
    if k.get("m") != m:
        if k:
            db.execute("INSERT OR REPLACE INTO candle VALUES (?,?,?,?,?,?)", (pair, k["m"], k["o"], k["h"], k["l"], k["c"]))
            db.commit()
        cur[pair] = k = {"m": m, "o": price, "h": price, "l": price}
    k["h"], k["l"], k["c"] = max(k["h"], price), min(k["l"], price), price


async def main():
    async for ws in websockets.connect(URL):
        try:
            await ws.send(json.dumps({"op": "subscribe", "pairs": PAIRS}))
            async for msg in ws:
                d = json.loads(msg)
                tick(d["pair"], d["ts"], float(d["price"]))
        except websockets.ConnectionClosed:
            continue

asyncio.run(main())
