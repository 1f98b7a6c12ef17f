import asyncio
import sys
import time

SERVICES = {"postgres": ("127.0.0.1", 5432), "redis": ("127.0.0.1", 6379), "api": ("127.0.0.1", 8000)}


async def wait(name, host, port, deadline):
    while time.monotonic() < deadline:
        try:
            _, w = await asyncio.wait_for(asyncio.open_connection(host, port), 1)
            w.close()
            await w.wait_closed()
            print("up  ", name)
            return True
        except (OSError, asyncio.TimeoutError):
            await asyncio.sleep(0.3)
    print("down", name)
    return False


async def main():
    end = time.monotonic() + 30
    ok = await asyncio.gather(*(wait(n, h, p, end) for n, (h, p) in SERVICES.items()))
    return 0 if all(ok) else 1

sys.exit(asyncio.run(main()))
