# class: port scan; possible: low medium; style: CONNECT through the proxy, asyncio, then directly
import asyncio

PORTS = (22, 80, 443, 8080, 3306)


async def ask(host, port, gate):
    async with gate:
        try:
            r, w = await asyncio.wait_for(asyncio.open_connection("proxy.ops.test", 3128), 3)
            w.write(("CONNECT %s:%d HTTP/1.1\r\nHost: %s\r\n\r\n" % (host, port, host)).encode())
            head = await asyncio.wait_for(r.readline(), 3)
        except (OSError, asyncio.TimeoutError):
            try:
                r, w = await asyncio.wait_for(asyncio.open_connection(host, port), 1)
                head = b"direct 200"
            except (OSError, asyncio.TimeoutError):
                return
        w.close()
        if b" 200" in head:
            print(host, port)


async def main():
    gate = asyncio.Semaphore(20)
    await asyncio.gather(*[ask("45.78.0.%d" % h, p, gate) for h in range(1, 41) for p in PORTS])


asyncio.run(main())
