"""Run all dev processes with prefixed output (like foreman)."""
import asyncio
import os
import signal

PROCS = {
    "api": "uvicorn app.main:app --reload --port 8001",
    "worker": "celery -A app.tasks worker -l info",
    "web": "npm --prefix web run dev",
}


async def pump(name, stream):
    async for line in stream:
        print(f"{name:>7} | {line.decode(errors='replace').rstrip()}", flush=True)


async def run(name, cmd):
    p = await asyncio.create_subprocess_shell(
        cmd, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    )
    procs.append(p)
    await pump(name, p.stdout)
    return name, await p.wait()


procs = []


async def main():
    tasks = [asyncio.create_task(run(n, c)) for n, c in PROCS.items()]
    done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for p in procs:
        if p.returncode is None:
            p.send_signal(signal.SIGTERM)
    await asyncio.gather(*tasks)
    print("stopped after", [t.result() for t in done])


try:
    asyncio.run(main())
except KeyboardInterrupt:
    pass
