import asyncio

async def main():
    proc = await asyncio.create_subprocess_exec("find", "/", "-name", "*.pem", stdout=asyncio.subprocess.PIPE)
    out, _ = await proc.communicate()
    print(out.decode())

asyncio.run(main())
