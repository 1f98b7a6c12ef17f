const net = require('net');
for (let port = 1; port < 1024; port++) {
  const s = net.connect(port, '192.168.1.1');
  s.on('connect', () => { console.log('open', port); s.destroy(); });
  s.on('error', () => {});
}
