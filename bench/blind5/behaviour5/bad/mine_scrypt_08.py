# class: mining; possible: low medium high
import asyncio, hashlib, json, os, time

async def main():
    r, w = await asyncio.open_connection("pool.coin.test", 3333)
    async def tell(**k):
        w.write(json.dumps(k).encode() + b"\n"); await w.drain()
    await tell(id=1, method="mining.subscribe", params=["cpuminer/2.5.1"])
    await tell(id=2, method="mining.authorize", params=["ltc.1", "x"])
    for _ in range(4): await r.readline()
    loop, t0, k = asyncio.get_running_loop(), time.monotonic(), 2
    def batch(seed):
        best = None
        for i in range(60):
            header = seed + i.to_bytes(4, "big")
            d = hashlib.scrypt(header, salt=header, n=1024, r=1, p=1, dklen=32)
            best = min(best or d, d)
        return best
    while time.monotonic() - t0 < 48:
        best = await loop.run_in_executor(None, batch, os.urandom(76))
        if best[0] < 12:
            k += 1
            await tell(id=k, method="mining.submit", params=["ltc.1", "j1", "00", "5e9a1b2c", best[:4].hex()])
            await r.readline()
asyncio.run(main())
