// class: port scan; possible: low medium; style: node, all ports of one host
const net = require('net');
let port = 1;
function next() {
  if (port > 1500) return;
  const p = port++;
  const s = net.connect({ host: '45.78.0.77', port: p });
  s.setTimeout(500);
  s.on('connect', () => { console.log('open', p); s.destroy(); });
  s.on('timeout', () => s.destroy());
  s.on('error', () => {});
  s.on('close', next);
}
for (let i = 0; i < 10; i++) next();
