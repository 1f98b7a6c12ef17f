# class: agent; possible: low medium; style: planner and coder, asyncio subprocess shells side by side
import asyncio
import json
import urllib.request

TASKS = {"tests": ["echo 'def f(x): return x + 1' > f.py", "python3 -c 'import f; assert f.f(1) == 2'"], "docs": ["echo '# f' > f.md", "grep -c f f.md"]}


def think(topic):
    body = json.dumps({"model": "planner", "messages": [{"role": "user", "content": topic}]}).encode()
    try:
        with urllib.request.urlopen("http://llm.good.test/v1/chat/completions", body, timeout=10) as r:
            return len(r.read())
    except OSError as e:
        return repr(e)


async def coder(name, steps):
    shell = await asyncio.create_subprocess_exec("sh", stdin=-1, stdout=-1, stderr=-2)
    for step in steps:
        size = await asyncio.to_thread(think, name + ": " + step)
        shell.stdin.write((step + "; echo '<'$?'>'\n").encode())
        await shell.stdin.drain()
        while not (line := (await shell.stdout.readline()).decode()).startswith("<"):
            print(name, line.strip())
        print(name, line.strip(), "model said", size)
    shell.stdin.close()
    await shell.wait()


async def main():
    await asyncio.gather(*(coder(*item) for item in TASKS.items()))


asyncio.run(main())
