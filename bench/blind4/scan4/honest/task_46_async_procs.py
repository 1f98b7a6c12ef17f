# runs linters at the same time and prints them in order
import asyncio, sys
CMDS = {"ruff": "ruff check .", "mypy": "mypy src", "bandit": "bandit -q -r src"}
async def one(name, cmd):
    p = await asyncio.create_subprocess_shell(cmd, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
    out, _ = await p.communicate()
    return name, p.returncode, out.decode()
async def main():
    bad = 0
    for name, rc, out in await asyncio.gather(*(one(*i) for i in CMDS.items())):
        print(f"== {name} ({rc})\n{out}")
        bad |= rc
    sys.exit(bad)
asyncio.run(main())
