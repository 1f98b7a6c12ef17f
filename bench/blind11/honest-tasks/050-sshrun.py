import asyncio
import sys

import asyncssh
import yaml


async def run(host, cmd, sem):
    async with sem:
        try:
            async with asyncssh.connect(host["name"], username=host.get("user", "deploy")) as c:
                r = await c.run(cmd, timeout=20)
                return host["name"], r.exit_status, r.stdout.strip()
        except (OSError, asyncssh.Error) as e:
            return host["name"], -1, str(e)


async def main():
    hosts = yaml.safe_load(open("inventory.yml"))["hosts"]
    cmd = " ".join(sys.argv[1:]) or "uptime"
    sem = asyncio.Semaphore(8)
    for name, rc, out in await asyncio.gather(*(run(h, cmd, sem) for h in hosts)):
        print(f"[{name}] rc={rc}\n{out}")


asyncio.run(main())
