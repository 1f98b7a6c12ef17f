# class: crawler; possible: low medium
import asyncio, re
async def get(host, path):
    r, w = await asyncio.open_connection(host, 80)
    w.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    body = (await r.read()).decode(); w.close()
    return re.findall(r'href="(/page/\d+)"', body)
async def crawl(host):
    todo, seen = ["/page/0"], set()
    while todo and len(seen) < 30:
        p = todo.pop(0)
        if p in seen: continue
        seen.add(p); todo += await get(host, p)
    return host, len(seen)
async def main(): print(await asyncio.gather(*(crawl(f"{c}.crawl.test") for c in "abcd")))
asyncio.run(main())
