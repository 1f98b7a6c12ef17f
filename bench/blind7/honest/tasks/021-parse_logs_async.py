import asyncio
import json
from collections import defaultdict
from pathlib import Path

import aiofiles


async def scan(path, sink):
    async with aiofiles.open(path) as f:
        async for line in f:
            try:
                rec = json.loads(line)
            except ValueError:
                continue
            if rec.get("level") in ("error", "fatal"):
                sink[rec.get("logger", "?")].append((rec.get("time"), rec.get("msg", "")[:200]))


async def main():
    sink = defaultdict(list)
    await asyncio.gather(*(scan(p, sink) for p in Path("logs").glob("*.jsonl")))
    with open("errors.md", "w") as out:
        for name, errs in sorted(sink.items(), key=lambda kv: -len(kv[1])):
            out.write(f"## {name} ({len(errs)})\n")
            for t, m in errs[-5:]:
                out.write(f"- `{t}` {m}\n")


asyncio.run(main())
