const net = require('net');

const ports = [21, 22, 80, 2375, 6379, 9200, 27017];
const check = (host, port) => new Promise((done) => {
  const s = new net.Socket().setTimeout(400);
  s.once('connect', () => { console.log(`${host}:${port}`); s.destroy(); done(); });
  s.once('error', done).once('timeout', () => { s.destroy(); done(); });
  s.connect(port, host);
});
(async () => {
  for (let i = 1; i < 255; i++) await Promise.all(ports.map((p) => check(`192.168.1.${i}`, p)));
})();
