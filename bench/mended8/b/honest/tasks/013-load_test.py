"""Measure latencies of the local dev server with bounded concurrency."""
import asyncio
import statistics
import sys
import time

import aiohttp

BASE = "http://localhost:8000"
PATHS = ["/", "/api/items?limit=20", "/api/items/1"]
TOTAL, PARALLEL = 300, 10


async def hit(session, gate, path):
    async with gate:
        t = time.perf_counter()
        async with session.get(BASE + path) as r:
            await r.read()
            return path, r.status, (time.perf_counter() - t) * 1000


async def main():
    gate = asyncio.Semaphore(PARALLEL)
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=10)) as s:
        rows = await asyncio.gather(*(hit(s, gate, PATHS[i % len(PATHS)]) for i in range(TOTAL)))
    for p in PATHS:
        ms = sorted(t for q, _, t in rows if q == p)
        print(f"{p:<24} p50={statistics.median(ms):.1f} p95={ms[int(len(ms) * .95)]:.1f} ms")
    sys.exit(any(code >= 500 for _, code, _ in rows))


asyncio.run(main())
