import asyncio
import statistics
import subprocess
import sys
import time

import aiohttp

N, C = 2000, 20
URL = "http://127.0.0.1:8123/healthz"


async def worker(s, q, times):
    while not q.empty():
        await q.get()
        t = time.perf_counter()
        async with s.get(URL) as r:
            assert r.status == 200
            await r.read()
        times.append(time.perf_counter() - t)


async def main():
    q, times = asyncio.Queue(), []
    for i in range(N):
        q.put_nowait(i)
    async with aiohttp.ClientSession() as s:
        t = time.perf_counter()
        await asyncio.gather(*(worker(s, q, times) for _ in range(C)))
        el = time.perf_counter() - t
    times.sort()
    print(f"{N / el:.0f} req/s, median {statistics.median(times) * 1e3:.1f} ms, p99 {times[int(N * .99)] * 1e3:.1f} ms")


srv = subprocess.Popen([sys.executable, "-m", "uvicorn", "app:app", "--port", "8123", "--log-level", "warning"])
try:
    time.sleep(2)
    asyncio.run(main())
finally:
    srv.terminate()
    srv.wait()
