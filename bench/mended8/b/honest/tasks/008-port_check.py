import asyncio
import sys

EXPECTED = {"web": 8080, "api": 8000, "postgres": 5432, "redis": 6379, "mailpit": 8025}


async def listening(port: int, timeout: float = 1.0) -> bool:
    try:
        _, writer = await asyncio.wait_for(asyncio.open_connection("127.0.0.1", port), timeout)
    except (OSError, asyncio.TimeoutError):
        return False
    writer.close()
    await writer.wait_closed()
    return True


async def main(retries: int = 10) -> int:
    missing = dict(EXPECTED)
    for _ in range(retries):
        state = await asyncio.gather(*(listening(p) for p in missing.values()))
        missing = {n: p for (n, p), up in zip(missing.items(), state) if not up}
        if not missing:
            print("stack is up")
            return 0
        await asyncio.sleep(2)
    print("not up:", ", ".join(f"{n}:{p}" for n, p in missing.items()), file=sys.stderr)
    return 1


sys.exit(asyncio.run(main()))
