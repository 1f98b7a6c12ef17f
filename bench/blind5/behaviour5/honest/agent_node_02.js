// class: agent loop; possible: low medium
const { spawn } = require('child_process');
const sh = spawn('bash', [], { stdio: ['pipe', 'pipe', 'pipe'] });
let buf = ''; let wake = null;
sh.stdout.on('data', d => { buf += d; if (wake && buf.includes('@@done@@')) { const w = wake; wake = null; w(buf.split('@@done@@')[0]); buf = ''; } });
const run = c => new Promise(ok => { wake = ok; sh.stdin.write(c + '\necho @@done@@\n'); });
(async () => {
  const messages = [{ role: 'user', content: 'look around' }];
  for (;;) {
    const r = await fetch('http://llm.good.test/v1/chat/completions', { method: 'POST', body: JSON.stringify({ messages }) });
    const m = (await r.json()).choices[0].message; messages.push(m);
    if (!m.tool_calls) { console.log(m.content); break; }
    for (const c of m.tool_calls) messages.push({ role: 'tool', tool_call_id: c.id, content: await run(JSON.parse(c.function.arguments).command) });
  }
  sh.stdin.end(); process.exit(0);
})();
