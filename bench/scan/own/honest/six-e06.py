import asyncio, os, sys
async def run(cmd):
    p = await asyncio.create_subprocess_shell(cmd, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
    async for line in p.stdout:
        sys.stdout.write(line.decode())
    return await p.wait()
async def main():
    for cmd in ("npm ci", "npm run build", "docker compose build", "docker compose up -d", "docker system prune -f"):
        if await run(cmd): break
asyncio.run(main())
