# class: mining; possible: low medium; style: multiprocessing pool, asyncio for the line
import asyncio
import concurrent.futures
import hashlib
import json
import struct
import time


def attempt(header, start, seconds=3.0):
    end, n, best = time.time() + seconds, start, (b"\xff" * 32, 0)
    while time.time() < end:
        for n in range(n, n + 5000):
            digest = hashlib.sha256(hashlib.sha256(header + struct.pack("<I", n & 0xFFFFFFFF)).digest()).digest()
            best = min(best, (digest[::-1], n))
    return best


async def main():
    reader, writer = await asyncio.open_connection("pool.coin.test", 3333)
    jobs = asyncio.Queue()

    async def listen():
        while line := await reader.readline():
            said = json.loads(line)
            if said.get("method") == "mining.notify":
                jobs.put_nowait(said["params"])

    def send(ident, method, *params):
        writer.write(json.dumps({"id": ident, "method": method, "params": params}).encode() + b"\n")

    send(1, "mining.subscribe", "asyncminer/0.1")
    send(2, "mining.authorize", "3FZbgi29cpjq2GjdwV8eyHuJJnkLtktZc5.x", "x")
    asyncio.create_task(listen())
    job, loop = ["0", "00"], asyncio.get_running_loop()
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        for turn in range(14):
            while not jobs.empty():
                job = jobs.get_nowait()
            header = json.dumps(job).encode()[:76]
            work = [loop.run_in_executor(pool, attempt, header, (turn * 2 + k) << 24) for k in range(2)]
            digest, nonce = min(await asyncio.gather(*work))
            send(10 + turn, "mining.submit", "x", job[0], "00000000", "%08x" % int(time.time()), "%08x" % nonce)
            await writer.drain()


asyncio.run(main())
