# class: agent loop; possible: low medium
"""Two sub-agents at once, each with a bash of its own, over asyncio."""
import asyncio, json, urllib.request

async def ask(messages):
    def go():
        q = urllib.request.Request("http://llm.good.test/v1/chat/completions", json.dumps({"messages": messages}).encode())
        return json.load(urllib.request.urlopen(q, timeout=20))
    return (await asyncio.to_thread(go))["choices"][0]["message"]

async def worker(name):
    sh = await asyncio.create_subprocess_exec("bash", stdin=-1, stdout=-1, stderr=-2)
    messages = [{"role": "system", "content": name}]
    while True:
        m = await ask(messages); messages.append(m)
        if not m.get("tool_calls"): break
        cmd = json.loads(m["tool_calls"][0]["function"]["arguments"])["command"]
        sh.stdin.write(f"({cmd}) 2>&1; echo --$name-eof--\n".encode()); await sh.stdin.drain()
        out = b""
        while not out.endswith(b"---eof--\n") and not out.endswith(b"--eof--\n"):
            line = await asyncio.wait_for(sh.stdout.readline(), 20)
            if not line or b"eof--" in line: break
            out += line
        messages.append({"role": "tool", "content": out.decode()})
    sh.stdin.close(); await sh.wait(); print(name, len(messages))

async def main(): await asyncio.gather(worker("a"), worker("b"))
asyncio.run(main())
