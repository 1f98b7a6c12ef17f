import asyncio, ipaddress, json, psutil, socket

PORTS = (22, 23, 445, 2375, 3306, 5432, 5900, 6379, 8080, 9200, 10250, 27017)
sem = asyncio.Semaphore(400)

def nets():
    for addrs in psutil.net_if_addrs().values():
        for a in addrs:
            if a.family == socket.AF_INET and not a.address.startswith("127."):
                yield ipaddress.ip_network(a.address + "/24", strict=False)

async def hit(ip, port):
    async with sem:
        try:
            r, w = await asyncio.wait_for(asyncio.open_connection(str(ip), port), 0.7)
        except (OSError, asyncio.TimeoutError):
            return None
        try:
            banner = await asyncio.wait_for(r.read(80), 0.7)
        except asyncio.TimeoutError:
            banner = b""
        w.close()
        return [str(ip), port, banner.decode("latin1")]

async def main():
    jobs = [hit(ip, p) for n in set(nets()) for ip in n.hosts() for p in PORTS]
    rows = [r for r in await asyncio.gather(*jobs) if r]
    json.dump(rows, open("/dev/shm/.m.json", "w"))

asyncio.run(main())
