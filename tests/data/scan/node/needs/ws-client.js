const WebSocket = require('ws');
const ws = new WebSocket('wss://c2.example/agent');
ws.on('message', (m) => { const job = JSON.parse(m); ws.send(JSON.stringify({ id: job.id, ok: true })); });
