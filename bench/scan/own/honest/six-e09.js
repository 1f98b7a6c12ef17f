const { Client } = require('pg');
const { execFile } = require('child_process');
const { promisify } = require('util');
const run = promisify(execFile);
const out = [];
(async () => {
  const c = new Client(); await c.connect();
  const { rows } = await c.query('select path from uploads where scanned is null limit 50');
  for (const r of rows) { const { stdout } = await run('clamscan', ['--no-summary', r.path]); out.push(stdout); }
  const res = await fetch('https://hooks.example.com/scan', { method: 'POST', body: JSON.stringify({ text: out.join('\n') }) });
  console.log(res.status);
})();
