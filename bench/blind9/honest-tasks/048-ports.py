"""Which local ports answer? Helps when a service does not start because its port is taken."""
import argparse
import asyncio
import contextlib

import psutil

COMMON = [3000, 3306, 5000, 5432, 6379, 8000, 8080, 8888, 9000, 9200, 27017]


async def probe(port):
    with contextlib.suppress(OSError, asyncio.TimeoutError):
        _, w = await asyncio.wait_for(asyncio.open_connection("127.0.0.1", port), 0.3)
        w.close()
        return port


def owners():
    out = {}
    with contextlib.suppress(psutil.AccessDenied):
        for c in psutil.net_connections("inet"):
            if c.status == psutil.CONN_LISTEN and c.pid:
                out[c.laddr.port] = psutil.Process(c.pid).name()
    return out


async def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("ports", nargs="*", type=int, default=COMMON)
    a = ap.parse_args()
    names = owners()
    for p in await asyncio.gather(*map(probe, a.ports)):
        if p:
            print(p, names.get(p, "?"))


asyncio.run(main())
